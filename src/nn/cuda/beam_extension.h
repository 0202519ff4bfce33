#pragma once

#include <torch/types.h>

namespace nmt {

/// The hypotheses of a beam search on a model's device: B sentences, K each, N = B·K rows, those
/// of a sentence adjacent and the likeliest first.
struct DeviceHypotheses {
  torch::Tensor totals;  // [N]  float64, log-probabilities; −∞: there is no such hypothesis
  torch::Tensor rows;    // [N]  int64, the previous step's row that each one continues
  torch::Tensor tokens;  // [N]  int64, its last token
};

/// Replaces the hypotheses of each sentence by the K likeliest continuations that do not end in one
/// of the tokens `excluded`, int64 on the device. found [2, N, count + 1]: of best_tokens(), with
/// at least K tokens of each row that are not excluded.
void extend_beams(const torch::Tensor& found, const torch::Tensor& excluded, int64_t width,
                  const DeviceHypotheses& hypotheses);

}  // namespace nmt
