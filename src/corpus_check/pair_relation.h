#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "corpus_check/pair_sample.h"
#include "corpus_check/word_association.h"

namespace nmt {

/// Whether two lines have anything to do with each other: how well their words translate each other
/// and their lengths match, by logistic regression that tells the corpus's pairs from random ones.
/// The proportion of random pairs in the corpus is estimated from how many of its pairs score as
/// low as random ones; it gives the probability that a pair is random (the local false discovery
/// rate, Efron 2004).
class PairRelation {
 public:
  explicit PairRelation(const std::vector<SampledPair>& sample);

  /// False if the sample is too small or its pairs score like random ones; do not use the scores
  /// then.
  bool reliable() const { return reliable_; }

  /// Log odds that the lines belong together, without the corpus's proportion of random pairs.
  double score(int64_t line, std::string_view source, std::string_view target);

  /// The probability that a pair of the corpus with this score is random.
  double random_probability(double score) const;

 private:
  static constexpr size_t kFeatures = 7;
  using Features = std::array<double, kFeatures>;

  struct Example {
    WordAssociation::Pair words;
    double source_length = 0;  // log(1 + characters)
    double target_length = 0;
    std::vector<size_t> parts = {};  // of a decoy: indices of its two pairs
    bool learned = true;
    double score = 0;
  };

  void examine(std::vector<Example>& examples, size_t pairs);
  Features features_of(const WordAssociation::Pair& words, double source_length,
                       double target_length) const;
  double score_of(const Features& features) const;
  void fit(const std::vector<Features>& examples, size_t pairs);
  void compare(const std::vector<Example>& examples, size_t pairs);

  bool reliable_ = false;
  WordAssociation association_;
  std::unordered_set<int64_t> learned_;  // lines
  double length_difference_ = 0;         // mean, of logarithms
  Features means_ = {};
  Features deviations_ = {};
  Features weights_ = {};
  double bias_ = 0;
  double random_share_ = 0;
};

}  // namespace nmt
