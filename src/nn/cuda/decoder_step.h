#pragma once

#include <torch/types.h>

#include <vector>

namespace nmt {

/// The weights of a GRU layer, as in nn/recurrent.h.
struct DecoderLayerWeights {
  torch::Tensor weight_ih;         // [3H, input]
  torch::Tensor weight_hh;         // [3H, H]
  torch::Tensor bias_ih, bias_hh;  // [3H]
};

/// The weights of a decoder with input feeding and attention as in nn/cuda/forced_decoder.h.
struct DecoderStepWeights {
  std::vector<DecoderLayerWeights> layers;  // the first reads [emb ; h̃]
  torch::Tensor attention_weight;           // [H, H]   undefined: none
  torch::Tensor concat_weight;              // [H, 2H]
  torch::Tensor concat_bias;                // [H]
  double attention_scale = 1.0;
};

/// What a step reads. N = B·K rows, the K of a sentence adjacent.
struct DecoderStepInput {
  torch::Tensor embedded;            // [N, E]
  torch::Tensor attentional_hidden;  // [N, H]     h̃_{t−1}
  torch::Tensor hidden;              // [L, N, H]  h_{t−1}
  torch::Tensor states;              // [B, S, H]  h_src: keys and values
  torch::Tensor lengths;             // [B]        int64, on the device
};

struct DecoderStepOutput {
  torch::Tensor attentional_hidden;  // [N, H]
  torch::Tensor hidden;              // [L, N, H]
  torch::Tensor attention;           // [N, S]     float32
};

/// One step of translation, without gradients or dropout, from the modules' own weights and with
/// few kernel launches, which take most of the time at small batch sizes.
DecoderStepOutput decoder_step(const DecoderStepWeights& weights, const DecoderStepInput& input);

}  // namespace nmt
