#pragma once

#include <cstdint>

namespace nmt {

/// Weights of the two terms of a token's loss, −target · log p(y) − uniform · 1/V Σ_v log p(v).
/// Label smoothing ε of a loss with weight w (equation in nn/loss.h) is {w (1 − ε), w ε}.
struct TokenWeights {
  float target = 1.0F;
  float uniform = 0.0F;
};

/// The loss of one token and its gradient, in one pass over a row that fits the cache.
///
/// logits [V]  in: W_o h̃ without the bias; out: gradient of the loss
/// Returns −log p(y), unweighted.
float token_loss_row(float* logits, const float* bias, int64_t vocabulary_size, int64_t target,
                     TokenWeights weights);

/// Two predictions P and Q of one token that are to agree, as R-Drop has them (Liang et al. 2021,
/// section 2.2). Adds to both losses
///
///   divergence · (KL(P‖Q) + KL(Q‖P)) = divergence · Σ_v (P_v − Q_v) (log P_v − log Q_v)
///
/// p, q [V]  in and out as in token_loss_row(). Returns the sum of both −log p(y).
float token_loss_row_pair(float* p, float* q, const float* bias, int64_t vocabulary_size,
                          int64_t target, TokenWeights weights, float divergence);

}  // namespace nmt
