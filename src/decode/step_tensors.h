#pragma once

#include <torch/types.h>

#include <vector>

#include "decode/decoding_constraints.h"
#include "decode/search_options.h"
#include "decode/stepper.h"

namespace nmt {

/// A step's attention as rows of plain numbers.
class AttentionRows {
 public:
  /// attention [N, S], or undefined: then every row is empty.
  explicit AttentionRows(const torch::Tensor& attention);

  std::vector<float> row(int64_t index) const;

 private:
  torch::Tensor attention_;  // on the CPU
};

/// Starts a search of source [B, S], lengths [B]; restricted to each sentence's candidates if the
/// options have a shortlist.
void start_search(Stepper& stepper, const torch::Tensor& source, const torch::Tensor& lengths,
                  const SearchOptions& options, const ConstraintList& constraint_list);

/// The log-probabilities [N, V] of N = B·K rows, with −inf for suppressed tokens and for what
/// `endings`, one rule per sentence, forbid: EOS, or all other tokens. Modifies log_probabilities.
torch::Tensor restrict_tokens(const torch::Tensor& log_probabilities, const SearchOptions& options,
                              const std::vector<Ending>& endings);

}  // namespace nmt
