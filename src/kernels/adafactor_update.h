#pragma once

#include <cstdint>

namespace nmt {

/// sums ← sums + (scale · g)², elementwise over a row of a gradient. Returns Σ (scale · g)².
float add_squares(int64_t count, float scale, const float* gradient, float* sums);

/// g ← g · factor · column_factors over a row of a gradient. Returns Σ g² of the new g.
float scale_row(int64_t count, float factor, const float* column_factors, float* gradient);

struct SecondMomentStep {
  float beta2 = 0.0F;
  float one_minus_beta2 = 1.0F;
  float epsilon = 1e-30F;
  float gradient_scale = 1.0F;
};

/// v ← β₂ v + (1 − β₂) ((scale · g)² + ε)    g ← scale · g / √v. Returns Σ g² of the new g.
float scale_by_second_moment(const SecondMomentStep& step, int64_t count, float* gradient,
                             float* second_moment);

/// θ ← shrinkage · θ − step_size · u, which is left as zeros.
void move_parameters(float step_size, float shrinkage, int64_t count, float* parameters, float* u);

}  // namespace nmt
