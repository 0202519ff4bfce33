#pragma once

#include <cstdint>

namespace nmt {

/// The label-smoothed cross-entropy of one token (equation in nn/loss.h) and its gradient, in one
/// pass over a row that fits the cache.
///
/// logits [V]  in: W_o h̃ without the bias; out: scale · gradient of the objective
/// Returns −log p(target), without label smoothing.
float token_loss_row(float* logits, const float* bias, int64_t vocabulary_size, int64_t target,
                     float label_smoothing, float scale);

}  // namespace nmt
