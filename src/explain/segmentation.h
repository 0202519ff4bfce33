#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/model_description.h"
#include "text/piece_table.h"
#include "text/sentencepiece.h"

namespace nmt {

/// One merge of byte-pair encoding.
struct Merge {
  std::vector<std::string> symbols;  // of the whole word, after the merge
  size_t place = 0;                  // index of the merged symbol in `symbols`
  double score = 0.0;                // of the merged piece; the highest is merged first
};

/// One way to cut a word into pieces of a unigram vocabulary.
struct Segmentation {
  std::vector<std::string> pieces;
  std::vector<double> log_probabilities;  // one for each piece
  double log_probability = 0.0;           // their sum
  double share = 0.0;                     // of the probability of all segmentations
};

/// How a SentencePiece model reads a word.
struct SegmentedWord {
  std::string word;
  std::string normalized;               // with U+2581 for spaces
  std::vector<std::string> characters;  // of `normalized`; a user-defined symbol counts as one
  std::vector<Merge> merges;            // bpe: in order
  std::vector<Segmentation> best;       // unigram: the likeliest, at most 5
  std::vector<std::string> pieces;      // as SentencePiece returns them; unknown: the text
  std::vector<int32_t> ids;
};

/// Replays the segmentation of words (Sennrich, Haddow and Birch 2016; Kudo 2018) from the pieces
/// of a serialized SentencePiece model, and checks each replay against SentencePiece's own result.
class WordSegmenter {
 public:
  /// Throws Error, with `name` for the model, for a vocabulary of words or characters.
  WordSegmenter(std::string_view model, const std::string& name);

  bool is_bpe() const { return description_.type == "bpe"; }

  /// Throws Error for text without tokens or of more than 64 characters, and if SentencePiece
  /// segments it differently.
  SegmentedWord segment(const std::string& word) const;

 private:
  bool is_user_defined(const std::string& text) const;

  /// Code points; with bpe, the longest user-defined symbol at each place is kept whole.
  std::vector<std::string> characters_of(const std::string& text) const;

  /// Merges the neighbors whose joint piece has the highest score, the leftmost among equals,
  /// until none have one.
  std::vector<Merge> merges_of(std::vector<std::string> symbols) const;

  /// The k best paths through the lattice of pieces, and their shares of the sum over all paths.
  std::vector<Segmentation> best_segmentations(const std::vector<std::string>& characters) const;

  /// The pieces as SentencePiece returns them: unknown characters as bytes, or in one piece.
  std::vector<std::string> as_returned(const std::vector<std::string>& symbols) const;

  ModelDescription description_;
  PieceTable pieces_;
  std::unique_ptr<SentencePieceModel> model_;
  float lowest_ = std::numeric_limits<float>::max();  // score of a normal piece
  float highest_ = std::numeric_limits<float>::lowest();
};

}  // namespace nmt
