#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace nmt {

/// Dropout of the units of x [B, T, W]. With `mask` [B, W] it is variational (Gal and Ghahramani
/// 2016, section 4): all steps of a sentence share one mask, which is drawn here if it is
/// undefined. For the inputs and outputs of layers; dropout of h_{t−1} within a layer is in
/// nn/recurrent.h.
at::Tensor drop_units(const at::Tensor& x, double rate, at::Tensor* mask);

/// Word dropout (Sennrich, Haddow and Birch 2016, WMT, section 2.4): whole tokens of
/// embedded [B, T, E] become 0 with `probability` p; the others are scaled by 1/(1 − p).
at::Tensor drop_words(const at::Tensor& embedded, double probability, bool is_training);

/// [rows, W] factors for x [..., W]: 0, or 1 / (1 − rate).
at::Tensor draw_mask(int64_t rows, const at::Tensor& x, double rate);

}  // namespace nmt
