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

/// Text divided into units that no segmentation splits: characters and user-defined symbols.
struct Atoms {
  std::string text;
  std::vector<size_t> offsets = {0};  // byte offset of each atom, then the size of the text
  std::vector<bool> is_symbol;

  void append(std::string_view atom, bool symbol);
  size_t size() const { return is_symbol.size(); }
  /// The text of atoms [first, last).
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

  /// The normal or user-defined piece with this text, or null.
  const ModelPiece* find(std::string_view text) const;

  /// The score of a normal piece: in a unigram model its natural log-probability, in a BPE model
  /// its merge priority (earlier merges are higher). nullopt for other text.
  std::optional<double> score(std::string_view text) const;

  /// The score of an unknown character, as in SentencePiece: 10 below the lowest score.
  double unknown_score() const { return lowest_score_ - 10.0; }

  size_t longest_piece() const { return longest_piece_; }  // bytes

  /// The atoms of a normalized text, given as the pieces of any segmentation of it.
  Atoms atoms(const std::vector<std::string>& segmentation) const;

  /// Ids of a segmentation. Unknown text becomes byte pieces if the model has them; otherwise each
  /// run of it is one kUnknownId.
  std::vector<int32_t> ids(const std::vector<std::string_view>& segmentation) const;

 private:
  int32_t id_of(const ModelPiece& piece) const;

  std::vector<ModelPiece> pieces_;
  std::unordered_map<std::string_view, size_t> index_;  // for find(); keys: views of pieces_
  std::vector<int32_t> byte_ids_;                       // 256 ids, or empty
  double lowest_score_ = 0.0;
  size_t longest_piece_ = 0;
};

}  // namespace nmt
