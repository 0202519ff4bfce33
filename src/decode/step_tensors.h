#pragma once

#include <torch/types.h>

#include <vector>

#include "decode/search_options.h"

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

/// The log-probabilities [N, V] with −inf for suppressed tokens and for what the sentences' rules,
/// one for each of B, N = B·K, forbid: EOS, or everything else.
torch::Tensor restrict_tokens(const torch::Tensor& log_probabilities, const SearchOptions& options,
                              const std::vector<Ending>& endings);

}  // namespace nmt
