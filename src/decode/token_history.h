#pragma once

#include <cstdint>
#include <vector>

#include "decode/hypothesis.h"

namespace nmt {

/// The tokens of all hypotheses of one sentence, as a tree: a step adds one node per hypothesis,
/// whatever its length.
class TokenHistory {
 public:
  static constexpr int32_t kRoot = -1;  // the node before the first token

  /// Appends a token to the hypothesis that ends in `previous`; returns its node.
  int32_t extend(int32_t previous, int32_t token, double log_probability,
                 std::vector<float> attention);

  /// The log-probability of everything up to the node.
  double log_probability(int32_t node) const;

  /// All tokens up to the node, EOS included.
  std::vector<int32_t> tokens(int32_t node) const;

  /// The total attention on each of `source_length` source tokens up to the node.
  std::vector<double> attention_sums(int32_t node, int64_t source_length) const;

  /// The hypothesis that ends in `node`, which holds EOS. The caller sets its score.
  Hypothesis trace(int32_t node) const;

 private:
  struct Node {
    int32_t previous;
    int32_t token;
    double log_probability;  // of all tokens up to here
    std::vector<float> attention;
  };
  std::vector<Node> nodes_;
};

}  // namespace nmt
