#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <cstdint>
#include <vector>

#include "nn/recurrent_cell.h"
#include "nn/seq2seq_options.h"

namespace nmt {

/// The state of a recurrent stack between two steps.
struct RecurrentState {
  torch::Tensor hidden;  // [L·directions, B, H]
  torch::Tensor cell;    // likewise; undefined for a GRU
  // Masks of variational dropout below each layer, [B, H·directions]; drawn when first used.
  std::vector<torch::Tensor> masks = {};
  torch::Tensor state_mask = {};  // [L·directions, B, H]  m of state dropout, likewise
};

struct RecurrentOptions {
  Cell cell = Cell::kGru;
  int64_t input_size = 0;
  int64_t hidden_size = 0;  // of one direction
  int64_t num_layers = 1;
  double dropout = 0.0;  // between two layers
  bool variational_dropout = false;
  double state_dropout = 0.0;
  bool bidirectional = false;
  bool residual = false;
  bool cell_layer_norm = false;  // nn/recurrent_cell.h

  int64_t num_directions() const { return bidirectional ? 2 : 1; }
};

/// Options of a unidirectional stack with the decoder's number of layers; the rest follows the
/// model's settings.
RecurrentOptions recurrent_options(const ModelConfig& model, int64_t input_size);

/// Several layers of GRU or LSTM cells. The GRU's equations are PyTorch's and cuDNN's:
///
///   r_t = σ(W_ir x_t + b_ir + W_hr h_{t-1} + b_hr)            reset gate
///   z_t = σ(W_iz x_t + b_iz + W_hz h_{t-1} + b_hz)            update gate
///   n_t = tanh(W_in x_t + b_in + r_t ⊙ (W_hn h_{t-1} + b_hn))  candidate
///   h_t = (1 − z_t) ⊙ n_t + z_t ⊙ h_{t-1}
///
/// (Cho et al. 2014 apply r_t to h_{t-1} before W_hn; here it is applied after, as cuDNN does, so
/// that all three products with h_{t-1} can be one.) The gates are stacked in the rows of the
/// parameters in the order r, z, n, which have PyTorch's names:
///
///   weight_ih_l{K}[_reverse]  [3H, input of the layer]     bias_ih_l{K}[_reverse]  [3H]
///   weight_hh_l{K}[_reverse]  [3H, H]                      bias_hh_l{K}[_reverse]  [3H]
///
/// An LSTM stacks its gates i, f, g, o in 4H rows; its equations are in nn/recurrent_cell.h.
///
/// With `residual` each layer above the first adds its input to its output (He et al. 2016; Wu et
/// al. 2016, section 3.1). As in their translators, dropout acts only on the cells' input, and the
/// state carried to the next step is the cells' own output h^l, before the addition:
///
///   y_t^0 = h_t^0      h_t^l = GRU(dropout(y_t^{l−1}), h_{t−1}^l)      y_t^l = h_t^l + y_t^{l−1}
///
/// With `state_dropout` the products with W_hh read m ⊙ h_{t−1} while training, with one mask m of
/// 0 and 1 / (1 − rate) for all steps of a sequence, in each layer and direction (Gal and
/// Ghahramani 2016, section 4); z_t ⊙ h_{t−1} and an LSTM's c_{t−1} are not masked.
///
/// LibTorch computes the layers (at::gru, at::lstm; cuDNN on a GPU), unless the cells are
/// normalized (parameters gain_ih_l{K}[_reverse] and so on) or state dropout acts; then they run
/// step by step (nn/recurrent_cell.h). On a GPU a GRU's layers run as kernels (nn/cuda).
class RecurrentStackImpl : public torch::nn::Module {
 public:
  explicit RecurrentStackImpl(const RecurrentOptions& options);

  using torch::nn::Module::to;
  /// As Module::to(); also packs the weights of each layer that cuDNN computes into one buffer, as
  /// it requires; otherwise it would copy them in every call and warn.
  void to(torch::Device device, bool non_blocking = false) override;

  /// A state of zeros; [L·directions, B, H].
  RecurrentState zero_state(int64_t batch_size) const;

  /// input [B, T, I] without padding -> output [B, T, H·directions] of the top layer. Advances
  /// `state` by T steps.
  torch::Tensor forward(const torch::Tensor& input, RecurrentState& state);

  /// As forward, over padded input, skipping the padding, where the output is 0. `lengths` [B]
  /// int64 on the CPU, at least 1. `state` becomes the last state of each sequence.
  torch::Tensor forward_padded(const torch::Tensor& input, const torch::Tensor& lengths,
                               RecurrentState& state);

  RecurrentCell cell_of(int64_t layer, int64_t direction) const;

 private:
  /// The four parameters of each direction of `count` layers.
  at::TensorList weights_of(int64_t first, int64_t count) const;

  /// What limits the sequences of an input. Undefined: nothing does.
  struct Ends {
    torch::Tensor batch_sizes;  // of a packed input, on the CPU
    torch::Tensor lengths;      // [B]  of a padded input, on the device
  };
  bool runs_as_kernels(const torch::Tensor& input) const;
  torch::Tensor run(const torch::Tensor& input, const Ends& ends, RecurrentState& state);
  torch::Tensor drop_below(int64_t layer, const torch::Tensor& output,
                           const torch::Tensor& batch_sizes, RecurrentState& state) const;
  torch::Tensor run_kernels(const torch::Tensor& input, const torch::Tensor& lengths, int64_t layer,
                            RecurrentState& state) const;
  torch::Tensor run_steps(const torch::Tensor& input, const torch::Tensor& batch_sizes,
                          int64_t layer, RecurrentState& state) const;
  torch::Tensor run_layers(const torch::Tensor& input, const torch::Tensor& batch_sizes,
                           int64_t first, int64_t count, RecurrentState& state);

  RecurrentOptions options_;
  std::vector<torch::Tensor> weights_;  // four for each layer and direction
  std::vector<torch::Tensor> norms_;    // gain_ih, gain_hh (LSTM: gain_c, bias_c), likewise
};
TORCH_MODULE(RecurrentStack);

/// The decoder's stack, named decoder.rnn as in simple-nmt's state_dict.
class DecoderImpl : public torch::nn::Module {
 public:
  explicit DecoderImpl(const RecurrentStack& rnn) { register_module("rnn", rnn); }
};
TORCH_MODULE(Decoder);

}  // namespace nmt
