#include "nn/encoder.h"

#include <ATen/ATen.h>

namespace nmt {
namespace {

// [2L, B, H/2], directions of a layer side by side -> [L, B, H]
torch::Tensor join_directions(const torch::Tensor& state) {
  const int64_t layers = state.size(0) / 2;
  const int64_t batch = state.size(1);
  return state.view({layers, 2, batch, -1}).transpose(1, 2).reshape({layers, batch, -1});
}

RecurrentState join_directions(const RecurrentState& state) {
  return {join_directions(state.hidden),
          state.cell.defined() ? join_directions(state.cell) : torch::Tensor()};
}

RecurrentState select_sentences(const RecurrentState& state, const torch::Tensor& rows) {
  return {state.hidden.index_select(1, rows),
          state.cell.defined() ? state.cell.index_select(1, rows) : torch::Tensor()};
}

}  // namespace

EncoderImpl::EncoderImpl(Cell cell, int64_t embedding_size, int64_t hidden_size, int64_t num_layers,
                         double dropout) {
  TORCH_CHECK(hidden_size % 2 == 0, "the encoder halves hidden_size, ", hidden_size, " is odd");
  RecurrentOptions options;
  options.cell = cell;
  options.input_size = embedding_size;
  options.hidden_size = hidden_size / 2;
  options.num_layers = num_layers;
  options.dropout = dropout;
  options.bidirectional = true;
  rnn_ = register_module("rnn", RecurrentStack(options));
}

EncoderOutput EncoderImpl::forward(const torch::Tensor& embedded, const torch::Tensor& lengths) {
  // Packing wants the longest sentence first; the order the caller knows is restored afterwards.
  const auto [sorted_lengths, order] =
      lengths.sort(/*stable=*/true, /*dim=*/0, /*descending=*/true);
  const auto rows = order.to(embedded.device());
  const auto back = order.argsort().to(embedded.device());
  auto state = rnn_->zero_state(embedded.size(0));  // [2L, B, H/2]
  const auto states = rnn_->forward_padded(embedded.index_select(0, rows), sorted_lengths, state);
  return {states.index_select(0, back), select_sentences(join_directions(state), back)};
}

}  // namespace nmt
