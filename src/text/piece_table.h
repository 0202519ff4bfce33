#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/model_description.h"

namespace nmt {

/// Text cut into what no segmentation divides: characters, and symbols that the user defined.
struct Atoms {
  std::string text;
  std::vector<size_t> offsets = {0};  // in bytes, of each atom, and the end of the text
  std::vector<bool> is_symbol;

  void append(std::string_view atom, bool symbol);
  size_t size() const { return is_symbol.size(); }
  /// The text of the atoms from `first` to before `last`.
  std::string_view range(size_t first, size_t last) const {
    return std::string_view(text).substr(offsets[first], offsets[last] - offsets[first]);
  }
};

/// The pieces of a SentencePiece model by their text.
class PieceTable {
 public:
  explicit PieceTable(std::vector<ModelPiece> pieces);
  PieceTable(const PieceTable&) = delete;
  PieceTable& operator=(const PieceTable&) = delete;

  const std::vector<ModelPiece>& by_id() const { return pieces_; }

  /// The piece that text is segmented into, a normal or a user-defined one, or null.
  const ModelPiece* find(std::string_view text) const;

  /// Of a normal piece. In a unigram model the natural log of its probability, in a BPE model the
  /// higher, the earlier it is merged.
  std::optional<double> score(std::string_view text) const;

  /// What SentencePiece gives a character that the model lacks: 10 below the lowest score.
  double unknown_score() const { return lowest_score_ - 10.0; }

  size_t longest_piece() const { return longest_piece_; }  // bytes

  /// Normalized text, given as the pieces of any of its segmentations.
  Atoms atoms(const std::vector<std::string>& segmentation) const;

  /// Ids of a segmentation. What the model lacks is spelled in bytes, if the model has pieces for
  /// them; otherwise a run of it is one kUnknownId.
  std::vector<int32_t> ids(const std::vector<std::string_view>& segmentation) const;

 private:
  int32_t id_of(const ModelPiece& piece) const;

  std::vector<ModelPiece> pieces_;
  std::unordered_map<std::string_view, size_t> index_;  // of those find() finds; views of pieces_
  std::vector<int32_t> byte_ids_;                       // 256, or none
  double lowest_score_ = 0.0;
  size_t longest_piece_ = 0;
};

}  // namespace nmt
