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
  share_ = &share;
  if (kind_ == DecoderInit::kFinal || kind_ == DecoderInit::kBridge) {
    encoder.final_state(share.source_places, state);
  } else {
    clear(state.hidden);
    clear(state.cell);
  }
  if (kind_ == DecoderInit::kMean) take_means(states, state.hidden.front().rows);
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

/// m = Σ_i h_i / S
void FusedFirstState::take_means(ConstMatrix states, int64_t targets) {
  const auto means = means_.take_zeros(targets, states.columns);
  for (int64_t i = 0; i < targets; ++i) {
    const auto source = share_->attended(i);
    for (int64_t k = 0; k < source.size; ++k) {
      add_scaled_row(1.0F / static_cast<float>(source.size), states.row(source.rows[k]),
                     states.columns, means.row(i));
    }
  }
}

void FusedFirstState::backward(StackState& of_state, Matrix of_states, WeightGradients& gradients) {
  const bool mean = kind_ == DecoderInit::kMean;
  if (mean) mean_gradient_.take(means_.matrix().rows, means_.matrix().columns);
  for (size_t l = 0; l < layers_.size(); ++l) {
    auto& layer = layers_[l];
    const auto& output = layer.output;
    const auto gradient = layer.gradient.take(output.rows, output.columns);
    copy_rows(of_state.hidden[l], gradient);
    tanh_backward(output, gradient);
    gradients.add_product(layer.bridge.weight.gradient, gradient,
                          (mean ? means_ : layer.input).matrix());
    gradients.add_column_sums(layer.bridge.bias.gradient, gradient);
    linear_backward(gradient, layer.bridge.weight,
                    mean ? mean_gradient_.matrix() : of_state.hidden[l],
                    mean && l > 0 ? WriteMode::kAccumulate : WriteMode::kOverwrite);
  }
  if (mean) spread_mean_gradient(of_states);
  if (mean || kind_ == DecoderInit::kZero) {
    clear(of_state.hidden);
    clear(of_state.cell);
  }
}

/// dh_i += dm / S
void FusedFirstState::spread_mean_gradient(Matrix of_states) const {
  const auto& of_means = mean_gradient_.matrix();
  for (int64_t i = 0; i < of_means.rows; ++i) {
    const auto source = share_->attended(i);
    for (int64_t k = 0; k < source.size; ++k) {
      add_scaled_row(1.0F / static_cast<float>(source.size), of_means.row(i), of_means.columns,
                     of_states.row(source.rows[k]));
    }
  }
}

}  // namespace nmt
