#pragma once

#include <torch/types.h>

namespace nmt {

struct LogitLossSums {
  torch::Tensor objective;                // scalar, with a gradient
  torch::Tensor negative_log_likelihood;  // scalar
};

/// token_loss(log_softmax(logits), …) of nn/loss.h with a kernel for each pass: neither
/// log-probabilities nor logits in float32 are stored. The backward pass overwrites the logits.
///   logits [M, V], targets [M] int64, weights [M] float32 or undefined
LogitLossSums logit_loss(const torch::Tensor& logits, const torch::Tensor& targets,
                         double label_smoothing, const torch::Tensor& weights);

}  // namespace nmt
