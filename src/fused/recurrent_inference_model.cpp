#include "fused/recurrent_inference_model.h"

#include <algorithm>
#include <utility>

#include "fused/first_state.h"
#include "fused/sequence_walk.h"

namespace nmt {
namespace {

/// The columns of W_c for h_t; below, those for c_t.
ConstMatrix state_columns(ConstMatrix concat) { return concat.column_range(0, concat.rows); }
ConstMatrix context_columns(ConstMatrix concat) {
  return concat.column_range(concat.rows, concat.columns - concat.rows);
}

}  // namespace

RecurrentInferenceModel::RecurrentInferenceModel(const ModelConfig& config,
                                                 ParameterTable parameters, WeightType type)
    : InferenceModel(parameters, type),
      config_(config),
      parameters_(std::move(parameters)),
      attention_(attention_form(config, parameters_), context_columns(value_of("concat.weight")),
                 type),
      decoder_(config, parameters_, type),
      concat_state_(state_columns(value_of("concat.weight")), type) {
  if (config.layer_norm) {
    source_norm_.emplace(parameters_, "norm_src");
    decoder_norm_.emplace(parameters_, "norm_dec");
  }
  for (const auto& layer : find_bridge(config, parameters_)) {
    bridge_.push_back(
        {PackedWeight(layer.weight.value, WeightType::kFloat32), layer.bias.value.data});
  }
  pack_encoder(type);
}

void RecurrentInferenceModel::pack_encoder(WeightType type) {
  for (const size_t direction : {kForward, kBackward}) {
    const auto found =
        find_recurrent_parameters(parameters_, "encoder.rnn.", 0, direction == kBackward);
    source_tokens_[direction] = make_token_table(parameters_.at("emb_src.weight"), found);
  }
  for (int64_t layer = 0; layer < config_.num_layers; ++layer) {
    for (const size_t direction : {kForward, kBackward}) {
      const auto found =
          find_recurrent_parameters(parameters_, "encoder.rnn.", layer, direction == kBackward);
      const auto input = layer == 0 ? ConstMatrix() : found.weight_ih.value;
      encoder_.push_back(pack_recurrent_layer(found, input, type));
    }
  }
}

}  // namespace nmt
