#include "fused/packed_decoder_stack.h"

#include <utility>

#include "config/layers.h"

namespace nmt {

std::unique_ptr<TokenTable> make_token_table(const Parameter& embeddings,
                                             const RecurrentParameters& layer) {
  const auto& values = embeddings.value;
  return std::make_unique<TokenTable>(values, layer.weight_ih.value.column_range(0, values.columns),
                                      layer.is_normalized() ? nullptr : layer.bias_ih.value.data);
}

RecurrentWeights pack_recurrent_layer(const RecurrentParameters& parameters, ConstMatrix input,
                                      WeightType type) {
  std::optional<PackedWeight> packed_input;
  if (input.columns > 0) packed_input.emplace(input, type);
  RecurrentWeights weights{std::move(packed_input),
                           PackedWeight(parameters.weight_hh.value, type),
                           parameters.bias_ih.value.data,
                           parameters.bias_hh.value.data,
                           {}};
  if (parameters.is_normalized()) weights.norms.emplace(parameters);
  return weights;
}

PackedDecoderStack::PackedDecoderStack(const ModelConfig& config, const ParameterTable& parameters,
                                       WeightType type)
    : cell(config.cell), residual(config.residual) {
  const auto& embeddings = parameters.at("emb_dec.weight");
  const int64_t embedded = embeddings.value.columns;
  for (int64_t layer = 0; layer < num_decoder_layers(config); ++layer) {
    const auto found = find_recurrent_parameters(parameters, "decoder.rnn.", layer);
    auto input = found.weight_ih.value;
    if (layer == 0) {
      tokens = make_token_table(embeddings, found);
      input = input.column_range(embedded, input.columns - embedded);
    }
    layers.push_back(pack_recurrent_layer(found, input, type));
  }
}

DecoderStackSession::DecoderStackSession(const PackedDecoderStack& stack)
    : stack_(stack), layers_(stack.layers.size()) {}

void DecoderStackSession::find_parents(const std::vector<DecoderRow>& rows) {
  distinct_.clear();
  parents_.resize(rows.size());
  distinct_of_.assign(static_cast<size_t>(layers_.front().hidden.matrix().rows), -1);
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool begins = rows[i].parent == DecoderRow::kBeginning;
    int32_t first_of_its_kind = -1;
    auto& known = begins ? first_of_its_kind : distinct_of_[static_cast<size_t>(rows[i].parent)];
    if (known < 0) {
      known = static_cast<int32_t>(distinct_.size());
      distinct_.push_back(rows[i]);
    }
    parents_[i] = known;
  }
}

ConstMatrix DecoderStackSession::advance(const std::vector<DecoderRow>& rows, ConstMatrix fed) {
  last_tokens_.clear();
  for (const auto& row : rows) last_tokens_.push_back(row.token);
  stack_.tokens->prepare(last_tokens_);
  for (size_t l = 0; l < layers_.size(); ++l) run_layer(l, static_cast<int64_t>(rows.size()), fed);
  return output_of(layers_.size() - 1);
}

/// The output of the layer that ran last.
ConstMatrix DecoderStackSession::output_of(size_t layer) const {
  return stack_.residual ? residual_output_.matrix() : layers_[layer].hidden.matrix();
}

void DecoderStackSession::run_layer(size_t index, int64_t count, ConstMatrix fed) {
  auto& layer = layers_[index];
  const auto& weights = stack_.layers[index];
  RecurrentStep step;
  if (index == 0) {
    addends_.resize(static_cast<size_t>(count));
    for (size_t i = 0; i < addends_.size(); ++i) addends_[i] = stack_.tokens->row(last_tokens_[i]);
    step.addends = addends_.data();
    step.input = fed;
    step.input_rows = parents_.data();
  } else {
    step.input = output_of(index - 1);
  }
  step.before = layer.before.matrix();
  step.before_rows = parents_.data();
  step.hidden = layer.hidden.take(count, stack_.hidden_size());
  if (stack_.cell == Cell::kLstm) {
    step.cell_before = layer.cell_before.matrix();
    step.cell = layer.cell.take(count, stack_.hidden_size());
  }
  layer.recurrent.step(stack_.cell, weights, step);
  if (stack_.residual) add_layer(index, step.hidden, residual_output_);
}

}  // namespace nmt
