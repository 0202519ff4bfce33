#pragma once

#include <torch/types.h>

#include <cstdint>

namespace nmt {

/// Loss of one batch, summed over its target tokens: EOS included, padding excluded.
struct TokenLoss {
  torch::Tensor objective;                // scalar, differentiable: what training minimizes
  torch::Tensor negative_log_likelihood;  // scalar: −Σ log p(y_t), without label smoothing
};

/// Cross-entropy against a target that keeps 1−ε for the true token and spreads ε evenly over the
/// vocabulary (label smoothing, Szegedy et al. 2016, section 7):
///
///   objective = Σ_t  (1−ε)·(−log p(y_t))  +  ε·(−1/V Σ_v log p(v))
///
/// log_probabilities [M, V] of the M tokens, targets [M] int64; weights [M] of each token's
/// objective, undefined: 1.
TokenLoss token_loss(const torch::Tensor& log_probabilities, const torch::Tensor& targets,
                     double label_smoothing, const torch::Tensor& weights = {});

/// Cross-entropy of the attention with an alignment (guided alignment, Chen, Matusov, Khadivi and
/// Peter 2016), a scalar:
///
///   −Σ_t Σ_s A_t,s log a_t,s
///
/// attention a [B, T, S]; alignment A [B, T, S], whose rows sum to 1, or to 0 for tokens that are
/// not aligned.
torch::Tensor guided_alignment_loss(const torch::Tensor& attention, const torch::Tensor& alignment);

}  // namespace nmt
