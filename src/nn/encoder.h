#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "nn/recurrent.h"

namespace nmt {

struct EncoderOutput {
  torch::Tensor states;        // [B, S, H]  both directions joined; zeros on padding
  RecurrentState final_state;  // [L, B, H]  both directions joined, layer by layer
};

/// Bidirectional encoder (Bahdanau et al. 2015, section 3.2) of hidden_size/2 a direction.
///
///   →h_i = GRU(x_i, →h_{i−1})     ←h_i = GRU(x_i, ←h_{i+1})     h_i = [→h_i ; ←h_i]
///
/// The last →h and the last ←h of each layer, joined, start the same layer of the decoder.
class EncoderImpl : public torch::nn::Module {
 public:
  /// `hidden_size` is that of both directions together, and even.
  EncoderImpl(Cell cell, int64_t embedding_size, int64_t hidden_size, int64_t num_layers,
              double dropout);

  /// embedded [B, S, E]; lengths [B] int64 on the CPU, at least 1, in any order.
  EncoderOutput forward(const torch::Tensor& embedded, const torch::Tensor& lengths);

 private:
  RecurrentStack rnn_{nullptr};
};
TORCH_MODULE(Encoder);

}  // namespace nmt
