#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include <vector>

#include "nn/encoder.h"

namespace nmt {

/// The decoder's first state s_0, computed from the encoder's output (model.decoder_init):
///
///   final    s_0^l = f^l
///   bridge   s_0^l = tanh(W^l f^l + b^l)
///   mean     s_0^l = tanh(W^l m + b^l)      m = 1/S Σ_i h_i
///   zero     s_0^l = 0
///
/// f^l is the final state of encoder layer max(0, l + L_e − L_d), counted from 0, for L_e encoder
/// and L_d decoder layers (config/layers.h). h_i are the encoder's states before layer
/// normalization; "mean" is Nematus's (Sennrich et al. 2017, section 2). The cells of an LSTM start
/// with those of the final states (final, bridge) or with 0 (mean, zero).
class FirstStateImpl : public torch::nn::Module {
 public:
  explicit FirstStateImpl(const ModelConfig& model);

  /// lengths [B] int64 -> [L_d, B, H]
  RecurrentState forward(const EncodedStates& encoded, const torch::Tensor& lengths);

 private:
  /// states of the encoder [L_e, B, H] -> f [L_d, B, H]
  torch::Tensor corresponding(const torch::Tensor& states) const;
  /// inputs [B, H] of each layer -> [L_d, B, H]
  torch::Tensor through_layers(const std::vector<torch::Tensor>& inputs);

  DecoderInit kind_;
  int64_t num_layers_;                     // L_d
  std::vector<torch::nn::Linear> layers_;  // W^l, b^l
};
TORCH_MODULE(FirstState);

}  // namespace nmt
