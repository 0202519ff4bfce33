#include "fused/language_network.h"

#include <string>

#include "config/layers.h"
#include "fused/sequence_walk.h"
#include "kernels/elementwise.h"

namespace nmt {
namespace {

/// The dropout site of a layer's output.
DropoutSite site_after(size_t layer, size_t num_layers) {
  return layer + 1 < num_layers ? DropoutSite::kDecoder : DropoutSite::kAttentional;
}

}  // namespace

LanguageNetwork::LanguageNetwork(const ModelConfig& model, const ParameterTable& parameters)
    : embedding_(parameters.at("emb_dec.weight"), DropoutSite::kTargetEmbedding),
      cell_(model.cell),
      residual_(model.residual) {
  for (int64_t layer = 0; layer < num_decoder_layers(model); ++layer) {
    const auto suffix = "_l" + std::to_string(layer);
    const auto found = find_recurrent_parameters(parameters, "decoder.rnn.", suffix);
    layers_.push_back({RecurrentLayer(cell_, found), {}, {}, {}, {}, {}});
  }
}

ConstMatrix LanguageNetwork::forward(const PackedBatch& share, const Dropout& dropout) {
  share_ = &share;
  dropout_ = dropout.of(share);
  ConstMatrix input = embedding_.forward(share.target_input, dropout_);
  for (size_t l = 0; l < layers_.size(); ++l) {
    auto& layer = layers_[l];
    layer.input = input;
    run(layer, {dropout_, DropoutSite::kDecoderState, static_cast<int64_t>(l)});
    const auto& output = layer.output.matrix();
    const auto states = residual_ ? add_layer(l, output, residual_output_) : output;
    const auto dropped = layer.dropped.take(states.rows, states.columns);
    copy_rows(states, dropped);
    dropout_.apply(site_after(l, layers_.size()), static_cast<int64_t>(l), 0, dropped);
    input = dropped;
  }
  return input;
}

void LanguageNetwork::run(Layer& layer, const StateDropout& dropout) {
  auto& recurrent = layer.recurrent;
  const auto& target = share_->target;
  recurrent.begin(target.num_rows(), dropout);
  linear(layer.input, recurrent.parameters().weight_ih, recurrent.input_products(),
         WriteMode::kOverwrite);
  const auto output = layer.output.take(target.num_rows(), recurrent.hidden_size());
  const SequenceWalk walk(target, kForward);
  for (int64_t step = 0; step < target.num_steps(); ++step) {
    const int64_t first = target.first_row(step);
    const auto cells = cell_ == Cell::kLstm ? walk.previous(step, recurrent.cells()) : Matrix();
    recurrent.forward(first, walk.previous(step, output), cells,
                      output.row_range(first, target.rows_at(step)));
  }
}

bool LanguageNetwork::backward_decoder(Matrix gradient, WeightGradients& gradients) {
  Matrix above;  // [rows, H]  the gradient of the output of the layer above
  for (size_t l = layers_.size(); l-- > 0;) {
    auto& layer = layers_[l];
    dropout_.apply(site_after(l, layers_.size()), static_cast<int64_t>(l), 0, gradient);
    if (residual_ && l + 1 < layers_.size()) add(above, gradient);
    above = gradient;
    backward(layer, gradient, gradients);
    gradient = layer.input_gradient.take(layer.input.rows, layer.input.columns);
    layer.recurrent.input_gradient(layer.recurrent.parameters().weight_ih, 0, WriteMode::kOverwrite,
                                   gradient);
  }
  embedding_.backward(share_->target_input, dropout_, gradient, gradients);
  return false;
}

void LanguageNetwork::backward(Layer& layer, ConstMatrix output_gradient,
                               WeightGradients& gradients) {
  auto& recurrent = layer.recurrent;
  const auto& target = share_->target;
  const int64_t width = recurrent.hidden_size();
  const auto& output = layer.output.matrix();
  const auto previous = layer.previous.take_zeros(target.num_rows(), width);
  const bool has_cells = cell_ == Cell::kLstm;
  carried_.take_zeros(target.num_sequences(), width);
  if (has_cells) carried_cell_.take_zeros(target.num_sequences(), width);
  const SequenceWalk walk(target, kForward);
  for (int64_t step = target.num_steps(); step-- > 0;) {
    const int64_t first = target.first_row(step);
    const int64_t rows = target.rows_at(step);
    const auto before = walk.previous(step, output);
    copy_rows(before, previous.row_range(first, before.rows));
    const auto carried = carried_.matrix().row_range(0, rows);
    add(output_gradient.row_range(first, rows), carried);
    recurrent.backward(first, before, has_cells ? walk.previous(step, recurrent.cells()) : Matrix(),
                       carried, has_cells ? carried_cell_.matrix().row_range(0, rows) : Matrix());
  }
  recurrent.add_weight_gradients(previous, gradients);
  recurrent.add_input_weight_gradient(recurrent.parameters().weight_ih, layer.input, gradients);
}

}  // namespace nmt
