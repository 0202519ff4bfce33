#pragma once

#include <cstdint>

namespace nmt {

/// One step of Adam (Kingma and Ba 2015, algorithm 1), or of AdamW (Loshchilov and Hutter 2019,
/// algorithm 2) if the decay is decoupled, with all factors that are common to all elements
/// precomputed.
struct AdamStep {
  float beta1 = 0.0F;
  float beta2 = 0.0F;
  float one_minus_beta1 = 0.0F;  // 1 − 0.999F differs from 0.001F in the fifth digit
  float one_minus_beta2 = 0.0F;
  float epsilon = 1e-8F;
  float step_size = 0.0F;        // α / (1 − β₁ᵗ)
  float root_correction = 1.0F;  // 1 / √(1 − β₂ᵗ)
  float gradient_scale = 1.0F;   // of clipping
  float l2_penalty = 0.0F;       // λ θ is added to the gradient
  float shrinkage = 1.0F;        // 1 − α λ: factor of a decoupled decay
};

/// m ← β₁ m + (1 − β₁) g    v ← β₂ v + (1 − β₂) g²    θ ← θ − step_size · m / (√v · root_correction
/// + ε) over `count` elements in one pass; the gradient is left as zeros for the next update.
void adam_update(const AdamStep& step, int64_t count, float* parameters, float* gradient,
                 float* first_moment, float* second_moment);

/// One step of SGD with momentum μ, PyTorch's:  u ← μ u + g    θ ← θ − α u
struct SgdStep {
  float learning_rate = 0.0F;
  float momentum = 0.0F;
  float gradient_scale = 1.0F;
  float l2_penalty = 0.0F;
};

void sgd_update(const SgdStep& step, int64_t count, float* parameters, float* gradient,
                float* velocity);

/// Σ gradient²
double sum_of_squares(int64_t count, const float* gradient);

}  // namespace nmt
