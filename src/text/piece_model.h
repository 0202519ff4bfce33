#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// A SentencePiece vocabulary as a unigram language model of text without case.
class PieceModel {
 public:
  /// From a serialised model.
  explicit PieceModel(std::string_view model);

  /// NFKC with case folding, and U+2581 before each word as in pieces.
  static std::string prepare(std::string_view text);

  /// Natural log of the rarest piece's probability.
  double rarest() const { return rarest_; }

  /// Log-probability that the vocabulary expects of as much text in its own language.
  double expected_log_probability(std::string_view prepared) const;

  /// Log-probability of the best segmentation of prepared text (Viterbi algorithm); `unknown` is
  /// that of a character without a piece, unless it is a Latin letter or none.
  double log_probability(std::string_view prepared, double unknown) const;

 private:
  struct Piece {
    std::string text;
    double log_probability;
  };

  void extend(std::string_view text, size_t begin, std::vector<double>& best) const;

  std::vector<Piece> pieces_;  // sorted by their bytes
  double rarest_ = 0;
  double expected_per_character_ = 0;
};

}  // namespace nmt
