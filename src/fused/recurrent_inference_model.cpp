#include "fused/recurrent_inference_model.h"

#include <algorithm>
#include <string>
#include <utility>

#include "fused/recurrent_session.h"
#include "fused/sequence_walk.h"

namespace nmt {
namespace {

/// Those of W_c for h_t, or for c_t.
ConstMatrix state_columns(ConstMatrix concat) { return concat.column_range(0, concat.rows); }
ConstMatrix context_columns(ConstMatrix concat) {
  return concat.column_range(concat.rows, concat.columns - concat.rows);
}

std::string layer_suffix(int64_t layer, size_t direction) {
  return "_l" + std::to_string(layer) + (direction == kBackward ? "_reverse" : "");
}

/// `input` is the part of W_ih to multiply by.
RecurrentWeights pack_layer(const RecurrentParameters& parameters, ConstMatrix input,
                            WeightType type) {
  std::optional<PackedWeight> packed_input;
  if (input.columns > 0) packed_input.emplace(input, type);
  return {std::move(packed_input), PackedWeight(parameters.weight_hh.value, type),
          parameters.bias_ih.value.data, parameters.bias_hh.value.data};
}

}  // namespace

RecurrentInferenceModel::RecurrentInferenceModel(const ModelConfig& config,
                                                 ParameterTable parameters, WeightType type)
    : InferenceModel(parameters, type),
      config_(config),
      parameters_(std::move(parameters)),
      attention_(attention_form(config, parameters_), context_columns(value_of("concat.weight")),
                 type),
      concat_state_(state_columns(value_of("concat.weight")), type) {
  if (config.layer_norm) {
    source_norm_.emplace(parameters_, "norm_src");
    decoder_norm_.emplace(parameters_, "norm_dec");
  }
  pack_encoder(type);
  pack_decoder(type);
}

std::unique_ptr<InferenceSession> RecurrentInferenceModel::make_session() const {
  return std::make_unique<RecurrentSession>(*this);
}

std::unique_ptr<TokenTable> RecurrentInferenceModel::make_table(const char* embeddings,
                                                                const std::string& weight,
                                                                const std::string& bias) const {
  const auto values = value_of(embeddings);
  return std::make_unique<TokenTable>(values, value_of(weight).column_range(0, values.columns),
                                      value_of(bias).data);
}

void RecurrentInferenceModel::pack_encoder(WeightType type) {
  for (const size_t direction : {kForward, kBackward}) {
    const auto first = layer_suffix(0, direction);
    source_tokens_[direction] = make_table("emb_src.weight", "encoder.rnn.weight_ih" + first,
                                           "encoder.rnn.bias_ih" + first);
  }
  for (int64_t layer = 0; layer < config_.num_layers; ++layer) {
    for (const size_t direction : {kForward, kBackward}) {
      const auto found =
          find_recurrent_parameters(parameters_, "encoder.rnn.", layer_suffix(layer, direction));
      const auto input = layer == 0 ? ConstMatrix() : found.weight_ih.value;
      encoder_.push_back(pack_layer(found, input, type));
    }
  }
}

void RecurrentInferenceModel::pack_decoder(WeightType type) {
  target_tokens_ =
      make_table("emb_dec.weight", "decoder.rnn.weight_ih_l0", "decoder.rnn.bias_ih_l0");
  const int64_t embedded = value_of("emb_dec.weight").columns;
  for (int64_t layer = 0; layer < config_.num_layers; ++layer) {
    const auto found =
        find_recurrent_parameters(parameters_, "decoder.rnn.", layer_suffix(layer, kForward));
    auto input = found.weight_ih.value;
    if (layer == 0) input = input.column_range(embedded, input.columns - embedded);
    decoder_.push_back(pack_layer(found, input, type));
  }
}

}  // namespace nmt
