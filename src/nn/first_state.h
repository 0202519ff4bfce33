#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include <vector>

#include "nn/encoder.h"

namespace nmt {

/// The decoder's first state s_0, from what the encoder has read (model.decoder_init):
///
///   final    s_0^l = f^l
///   bridge   s_0^l = tanh(W^l f^l + b^l)
///   mean     s_0^l = tanh(W^l m + b^l)      m = 1/S Σ_i h_i (Sennrich et al. 2017, section 3)
///   zero     s_0^l = 0
///
/// f^l are the encoder's final states of the corresponding layer (nn/encoder.h): of layer l, or,
/// where the encoder has E layers and the decoder D, of max(0, l + E − D). h_i are the encoder's
/// states before layer normalization. The cells of an LSTM start with those of the final states
/// (final, bridge) or with 0 (mean, zero).
class FirstStateImpl : public torch::nn::Module {
 public:
  explicit FirstStateImpl(const ModelConfig& model);

  /// lengths [B] int64 -> [D, B, H]
  RecurrentState forward(const EncodedStates& encoded, const torch::Tensor& lengths);

 private:
  /// states of the encoder [E, B, H] -> f [D, B, H]
  torch::Tensor corresponding(const torch::Tensor& states) const;
  /// inputs [B, H] of each layer -> [D, B, H]
  torch::Tensor through_layers(const std::vector<torch::Tensor>& inputs);

  DecoderInit kind_;
  int64_t num_layers_;                     // D
  std::vector<torch::nn::Linear> layers_;  // W^l, b^l
};
TORCH_MODULE(FirstState);

}  // namespace nmt
