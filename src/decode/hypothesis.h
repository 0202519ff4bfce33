#pragma once

#include <cstdint>
#include <vector>

namespace nmt {

/// One finished translation as token ids.
struct Hypothesis {
  std::vector<int32_t> tokens;                 // without BOS and EOS
  double score = 0.0;                          // log-probability, normalized for length
  double log_probability = 0.0;                // natural log, EOS included, as in `nmt score`
  std::vector<float> token_log_probabilities;  // one for each token and one for EOS
  /// One row for each token and one for EOS, S weights each; empty unless SearchOptions::attention.
  std::vector<std::vector<float>> attention;
};

using TokenLists = std::vector<std::vector<int32_t>>;
using HypothesisLists = std::vector<std::vector<Hypothesis>>;  // n best, or samples, of each source

}  // namespace nmt
