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

/// The R-Drop loss (Liang et al. 2021, section 2.2) of two predictions P and Q of one token: the
/// sum of both losses plus
///
///   divergence · (KL(P‖Q) + KL(Q‖P)) = divergence · Σ_v (P_v − Q_v) (log P_v − log Q_v)
///
/// p, q [V]  in and out as in token_loss_row(). Returns the sum of both −log p(y).
float token_loss_row_pair(float* p, float* q, const float* bias, int64_t vocabulary_size,
                          int64_t target, TokenWeights weights, float divergence);

/// The source that a token may be copied from (nn/generator.h): `size` tokens and their attention.
struct CopySource {
  const int64_t* tokens = nullptr;   // [size], each below V
  const float* attention = nullptr;  // [size]
  int64_t size = 0;
  float gate = 0.0F;  // γ
};

/// Where copying_loss_row() writes the other gradients.
struct CopyGradient {
  float* attention = nullptr;  // [size]
  float gate = 0.0F;
};

/// token_loss_row() for the mixture of the softmax s and copying; c_v is the total attention on
/// token v:
///
///   P_v = σ(γ) s_v + σ(−γ) c_v
///
/// copied [V] is workspace: zeros, in and out.
float copying_loss_row(float* logits, const float* bias, int64_t vocabulary_size, int64_t target,
                       TokenWeights weights, const CopySource& source, float* copied,
                       CopyGradient& gradient);

}  // namespace nmt
