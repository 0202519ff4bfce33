#pragma once

#include <torch/types.h>

#include <vector>

namespace nmt {

/// What teacher forcing of the recurrent decoder reads, with input feeding and attention whose
/// score is scale · (W h_t)ᵀ h_i, or without W. L layers.
struct ForcedDecoderInput {
  torch::Tensor embedded;   // [B, T, 3H]  W_e emb_t + b_ih: the part of the first layer's input
                            // gates that does not depend on h̃_{t−1}
  torch::Tensor first;      // [L, B, H]   s_0
  torch::Tensor states;     // [B, S, H]   h_src: keys and values
  torch::Tensor lengths;    // [B]         int64, on the device
  torch::Tensor recurrent;  // [1+L, 3H, H]  the columns of the first W_ih for h̃_{t−1}; each W_hh
  torch::Tensor hidden_bias;       // [L, 3H]        each b_hh
  torch::Tensor input;             // [L−1, 3H, H]   W_ih of the layers above the first, if any
  torch::Tensor input_bias;        // [L−1, 3H]      b_ih, likewise
  torch::Tensor attention_weight;  // [H, H]         W; undefined: none
  torch::Tensor concat_weight;     // [H, 2H]        W_c
  torch::Tensor concat_bias;       // [H]            b_c
  torch::Tensor layer_masks;  // [L−1, B, T, H]  of dropout of what layers above the first read;
                              // undefined: none
  torch::Tensor output_mask;  // [B, T, H]       of dropout of h̃_t; undefined: none
  double attention_scale = 1.0;
};

struct ForcedDecoderOutput {
  torch::Tensor attentional_hidden;  // [B, T, H]  h̃
  torch::Tensor attention;           // [B, T, S]  float32, as the softmax of autocast
};

/// All steps of RecurrentSeq2Seq's decoder, with kernels for the steps and a hand-written backward
/// pass, which computes the gradients of the weights and of h_src at once, after the last step.
/// Computes in the type of `embedded`.
ForcedDecoderOutput forced_decoder(const ForcedDecoderInput& input);

}  // namespace nmt
