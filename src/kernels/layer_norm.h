#pragma once

#include "kernels/matrix.h"

namespace nmt {

// Layer normalization of each row x [H] (Ba, Kiros and Hinton 2016, section 3.1), with the
// variance over H and ε = 1e-5 as in torch::nn::LayerNorm:
//
//   x̂ = (x − mean(x)) / √(variance(x) + ε)        y = w ⊙ x̂ + b
//
// A null b is 0.

/// y [N, H]; weight, bias [H]. x and y may be the same memory.
void layer_norm(ConstMatrix x, const float* weight, const float* bias, Matrix y);

/// As layer_norm(); also writes x̂ [N, H] and scales [N], 1 / √(variance(x) + ε), for the backward
/// pass.
void layer_norm_forward(ConstMatrix x, const float* weight, const float* bias, Matrix normalized,
                        float* scales, Matrix y);

/// gradient [N, H]  in: of y; out: of x. Adds the gradients of weight and bias, [H] each.
void layer_norm_backward(ConstMatrix normalized, const float* scales, const float* weight,
                         Matrix gradient, float* weight_gradient, float* bias_gradient);

}  // namespace nmt
