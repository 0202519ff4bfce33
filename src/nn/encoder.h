#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "nn/recurrent.h"

namespace nmt {

struct EncodedStates {
  torch::Tensor states;        // [B, S, H]  of both directions; zeros on padding
  RecurrentState final_state;  // [L, B, H]  both directions combined, layer by layer
};

/// Bidirectional encoder (Bahdanau et al. 2015, section 3.2).
///
///   →h_i = GRU(x_i, →h_{i−1})     ←h_i = GRU(x_i, ←h_{i+1})
///   h_i = [→h_i ; ←h_i], hidden_size/2 per direction, or h_i = →h_i + ←h_i, hidden_size each
///
/// The final state of a layer is its last →h and last ←h, combined in the same way; the decoder
/// starts from it (nn/first_state.h).
class EncoderImpl : public torch::nn::Module {
 public:
  /// model.hidden_size is H, the width of h_i. It must be an even number if the directions are
  /// concatenated.
  explicit EncoderImpl(const ModelConfig& model);

  /// embedded [B, S, E]; lengths [B] int64 on the CPU, at least 1, in any order.
  EncodedStates forward(const torch::Tensor& embedded, const torch::Tensor& lengths);

 private:
  bool summed_;
  RecurrentStack rnn_{nullptr};
};
TORCH_MODULE(Encoder);

}  // namespace nmt
