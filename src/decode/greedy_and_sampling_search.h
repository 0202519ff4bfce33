#pragma once

#include <torch/types.h>

#include <vector>

#include "decode/hypothesis.h"
#include "decode/search_options.h"
#include "decode/stepper.h"

namespace nmt {

/// Greedy search: the likeliest token at every step. One hypothesis for each sentence.
std::vector<Hypothesis> greedy_search(Stepper& stepper, const torch::Tensor& source,
                                      const torch::Tensor& lengths, const SearchOptions& options);

/// Ancestral sampling with options.sampling: n_best independent samples for each sentence, best
/// score first. Their log-probabilities are the model's own, without temperature and truncation.
std::vector<std::vector<Hypothesis>> sample_search(Stepper& stepper, const torch::Tensor& source,
                                                   const torch::Tensor& lengths,
                                                   const SearchOptions& options);

}  // namespace nmt
