#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace nmt {

/// Dropout of the units of x [B, T, W]. With `mask` [B, W] it is variational (Gal and Ghahramani
/// 2016, section 4): all steps of a sentence share one mask, which is drawn here if it is
/// undefined. For the inputs and outputs of layers; dropout of h_{t−1} within a layer is in
/// nn/recurrent.h.
at::Tensor drop_units(const at::Tensor& x, double rate, at::Tensor* mask);

/// [rows, W] factors for x [..., W]: 0, or 1 / (1 − rate).
at::Tensor draw_mask(int64_t rows, const at::Tensor& x, double rate);

}  // namespace nmt
