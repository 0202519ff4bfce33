#include "nn/encoder.h"

#include <ATen/ATen.h>

namespace nmt {
namespace {

RecurrentOptions bidirectional_options(const ModelConfig& model) {
  const bool joined = model.encoder_output == EncoderOutput::kConcatenated;
  TORCH_CHECK(!joined || model.hidden_size % 2 == 0, "the encoder halves hidden_size, ",
              model.hidden_size, " is odd");
  auto options = recurrent_options(model, model.embedding_size);
  options.num_layers = model.num_layers;
  if (joined) options.hidden_size /= 2;
  options.bidirectional = true;
  return options;
}

}  // namespace

EncoderImpl::EncoderImpl(const ModelConfig& model)
    : summed_(model.encoder_output == EncoderOutput::kSummed),
      rnn_(register_module("rnn", RecurrentStack(bidirectional_options(model)))) {}

EncodedStates EncoderImpl::forward(const torch::Tensor& embedded, const torch::Tensor& lengths) {
  auto state = rnn_->zero_state(embedded.size(0));                     // [2L, B, D]
  const auto states = rnn_->forward_padded(embedded, lengths, state);  // [B, S, 2D]
  // [..., 2D] -> [..., H]
  const auto combine = [this](const torch::Tensor& joined) {
    if (!summed_) return joined;
    const auto directions = joined.chunk(2, -1);
    return directions[0] + directions[1];
  };
  // [2L, B, D], both directions of a layer adjacent -> [L, B, H]
  const auto combine_layers = [&](const torch::Tensor& all) {
    if (!all.defined()) return all;
    const int64_t layers = all.size(0) / 2, batch = all.size(1);
    return combine(all.view({layers, 2, batch, -1}).transpose(1, 2).reshape({layers, batch, -1}));
  };
  return {combine(states), {combine_layers(state.hidden), combine_layers(state.cell)}};
}

}  // namespace nmt
