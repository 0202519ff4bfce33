#pragma once

#include <torch/types.h>

#include <vector>

#include "decode/decoding_constraints.h"
#include "decode/search_options.h"
#include "decode/stepper.h"

namespace nmt {

/// The step's attention as rows of plain numbers.
class AttentionRows {
 public:
  /// attention [N, S], or undefined: then every row is empty.
  explicit AttentionRows(const torch::Tensor& attention);

  std::vector<float> row(int64_t index) const;

 private:
  torch::Tensor attention_;  // on the CPU
};

/// Starts a search of the sources, source [B, S] and lengths [B], with their candidates alone if
/// the options have a shortlist.
void start_search(Stepper& stepper, const torch::Tensor& source, const torch::Tensor& lengths,
                  const SearchOptions& options, const ConstraintList& constraint_list);

/// The log-probabilities [N, V] with −inf for suppressed tokens and for what the sentences' rules,
/// one for each of B, N = B·K, forbid: EOS, or everything else.
torch::Tensor restrict_tokens(const torch::Tensor& log_probabilities, const SearchOptions& options,
                              const std::vector<Ending>& endings);

}  // namespace nmt
