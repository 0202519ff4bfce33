#include "fused/recurrent_inference_model.h"

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

RecurrentInferenceModel::RecurrentInferenceModel(const ModelConfig& model,
                                                 const ParameterTable& parameters, WeightType type)
    : InferenceModel(parameters, type),
      config(model),
      attention(attention_form(model, parameters),
                context_columns(parameters.at("concat.weight").value), type),
      decoder(model, parameters, type),
      concat_state(state_columns(parameters.at("concat.weight").value), type),
      concat_bias(parameters.at("concat.bias").value.data) {
  if (model.layer_norm) {
    source_norm.emplace(parameters, "norm_src");
    decoder_norm.emplace(parameters, "norm_dec");
  }
  for (const auto& layer : find_bridge(model, parameters)) {
    bridge.push_back(
        {PackedWeight(layer.weight.value, WeightType::kFloat32), layer.bias.value.data});
  }
  for (int64_t layer = 0; layer < model.num_layers; ++layer) {
    const auto pack = [&](size_t direction) {
      const auto found =
          find_recurrent_parameters(parameters, "encoder.rnn.", layer, direction == kBackward);
      if (layer > 0) return pack_recurrent_layer(found, found.weight_ih.value, type);
      source_tokens[direction] = make_token_table(parameters.at("emb_src.weight"), found);
      return pack_recurrent_layer(found, {}, type);
    };
    encoder.push_back({pack(kForward), pack(kBackward)});
  }
}

}  // namespace nmt
