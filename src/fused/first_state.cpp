#include "fused/first_state.h"

#include <algorithm>
#include <string>

#include "config/layers.h"
#include "kernels/elementwise.h"

namespace nmt {
namespace {

void clear(const std::vector<Matrix>& states) {
  for (const auto& state : states) {
    for (int64_t row = 0; row < state.rows; ++row) std::fill_n(state.row(row), state.columns, 0.0F);
  }
}

/// to += factor from
void add_scaled_row(float factor, const float* from, int64_t width, float* to) {
  for (int64_t i = 0; i < width; ++i) to[i] += factor * from[i];
}

}  // namespace

std::vector<BridgeLayer> find_bridge(const ModelConfig& model, const ParameterTable& parameters) {
  std::vector<BridgeLayer> layers;
  if (!has_bridge(model.decoder_init)) return layers;
  for (int64_t layer = 0; layer < num_decoder_layers(model); ++layer) {
    const auto name = "bridge.l" + std::to_string(layer);
    layers.push_back({parameters.at(name + ".weight"), parameters.at(name + ".bias")});
  }
  return layers;
}

FusedFirstState::FusedFirstState(const ModelConfig& model, const ParameterTable& parameters)
    : kind_(model.decoder_init) {
  for (const auto& bridge : find_bridge(model, parameters)) layers_.push_back({bridge, {}, {}, {}});
}

void FusedFirstState::forward(const PackedBatch& share, const FusedEncoder& encoder,
                              ConstMatrix states, StackState& state) {
  if (kind_ == DecoderInit::kFinal || kind_ == DecoderInit::kBridge) {
    encoder.final_state(share.source, share.source_places, state);
  } else {
    clear(state.hidden);
    clear(state.cell);
  }
  if (kind_ == DecoderInit::kMean) take_means(share, states, state.hidden.front().rows);
  for (size_t l = 0; l < layers_.size(); ++l) {
    auto& layer = layers_[l];
    layer.output = state.hidden[l];
    if (kind_ == DecoderInit::kBridge) {
      copy_rows(layer.output, layer.input.take(layer.output.rows, layer.output.columns));
    }
    const auto& input = kind_ == DecoderInit::kMean ? means_ : layer.input;
    linear(input.matrix(), layer.bridge.weight, layer.output, WriteMode::kOverwrite);
    tanh_with_bias(layer.output, layer.bridge.bias.value.data);
  }
}

void FusedFirstState::take_means(const PackedBatch& share, ConstMatrix states, int64_t targets) {
  const auto means = means_.take_zeros(targets, states.columns);
  for (int64_t i = 0; i < targets; ++i) {
    const int64_t place = share.source_places[static_cast<size_t>(i)];
    const int64_t length = share.source.lengths[static_cast<size_t>(place)];
    for (int64_t step = 0; step < length; ++step) {
      add_scaled_row(1.0F / static_cast<float>(length),
                     states.row(share.source.first_row(step) + place), states.columns,
                     means.row(i));
    }
  }
}

void FusedFirstState::backward(const PackedBatch& share, StackState& of_state, Matrix of_states,
                               WeightGradients& gradients) {
  for (size_t l = 0; l < layers_.size(); ++l) {
    auto& layer = layers_[l];
    const auto& output = layer.output;
    const auto gradient = layer.gradient.take(output.rows, output.columns);
    copy_rows(of_state.hidden[l], gradient);
    tanh_backward(output, gradient);
    const bool mean = kind_ == DecoderInit::kMean;
    gradients.add_product(layer.bridge.weight.gradient, gradient,
                          (mean ? means_ : layer.input).matrix());
    gradients.add_column_sums(layer.bridge.bias.gradient, gradient);
    if (!mean) {
      linear_backward(gradient, layer.bridge.weight, of_state.hidden[l], WriteMode::kOverwrite);
      continue;
    }
    const auto of_mean =
        l == 0 ? mean_gradient_.take(output.rows, output.columns) : mean_gradient_.matrix();
    linear_backward(gradient, layer.bridge.weight, of_mean,
                    l == 0 ? WriteMode::kOverwrite : WriteMode::kAccumulate);
  }
  if (kind_ == DecoderInit::kMean) spread_mean_gradient(share, of_states);
  if (kind_ == DecoderInit::kMean || kind_ == DecoderInit::kZero) {
    clear(of_state.hidden);
    clear(of_state.cell);
  }
}

/// dh_i += dm / S
void FusedFirstState::spread_mean_gradient(const PackedBatch& share, Matrix of_states) const {
  const auto& of_means = mean_gradient_.matrix();
  for (int64_t i = 0; i < of_means.rows; ++i) {
    const int64_t place = share.source_places[static_cast<size_t>(i)];
    const int64_t length = share.source.lengths[static_cast<size_t>(place)];
    for (int64_t step = 0; step < length; ++step) {
      add_scaled_row(1.0F / static_cast<float>(length), of_means.row(i), of_means.columns,
                     of_states.row(share.source.first_row(step) + place));
    }
  }
}

}  // namespace nmt
