#include "fused/inference_model.h"

#include <string>
#include <utility>

namespace nmt {
namespace {

ConstMatrix value_of(const ParameterTable& parameters, const std::string& name) {
  return parameters.at(name).value;
}

int64_t embedding_size(const ParameterTable& parameters) {
  return value_of(parameters, "emb_dec.weight").columns;
}

}  // namespace

InferenceModel::InferenceModel(const FusedSeq2SeqOptions& options, ParameterTable parameters,
                               WeightType type)
    : options_(options),
      parameters_(std::move(parameters)),
      copies_(ProductPrecision::kFloat32, parameters_),
      tokens_(value_of(parameters_, "emb_dec.weight"),
              value_of(parameters_, "decoder.rnn.weight_ih_l0")
                  .column_range(0, embedding_size(parameters_)),
              value_of(parameters_, "decoder.rnn.bias_ih_l0").data),
      concat_(value_of(parameters_, "concat.weight"), type),
      generator_(value_of(parameters_, "generator.output.weight"), type) {
  copies_.refresh(0, 1);
  for (int64_t layer = 0; layer < options.num_layers; ++layer) {
    const auto suffix = "_l" + std::to_string(layer);
    const auto found = find_recurrent_parameters(parameters_, "decoder.rnn.", suffix);
    auto input = found.weight_ih.value;
    if (layer == 0) {
      const int64_t embedded = embedding_size(parameters_);
      input = input.column_range(embedded, input.columns - embedded);
    }
    std::optional<PackedWeight> packed_input;
    if (input.columns > 0) packed_input.emplace(input, type);
    layers_.push_back({std::move(packed_input), PackedWeight(found.weight_hh.value, type),
                       found.bias_ih.value.data, found.bias_hh.value.data});
  }
}

}  // namespace nmt
