#pragma once

#include <torch/types.h>

namespace nmt {

struct GruLayerOutput {
  torch::Tensor output;  // [B, T, D·H]  0 after the end of a sentence
  torch::Tensor last;  // [D, B, H]    the state at its end; of the backward direction, at its start
};

/// A GRU layer in D = 1 or 2 directions, with kernels for the steps and a hand-written backward
/// pass. nn/recurrent.h has the equations. Computes in the type of `input`.
///   input        [B, T, D·3H]  W_ih x_t + b_ih of each direction
///   lengths      [B]           int64, on the device; undefined: all sentences are T long
///   first        [D, B, H]     the state before the first step
///   hidden       [D, 3H, H]    W_hh
///   hidden_bias  [D, 3H]       b_hh
GruLayerOutput gru_layer(const torch::Tensor& input, const torch::Tensor& lengths,
                         const torch::Tensor& first, const torch::Tensor& hidden,
                         const torch::Tensor& hidden_bias);

}  // namespace nmt
