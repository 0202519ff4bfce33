#include "fused/inference_model.h"

#include "fused/language_inference_model.h"
#include "fused/recurrent_inference_model.h"
#include "fused/transformer_inference_model.h"

namespace nmt {

InferenceModel::InferenceModel(const ParameterTable& parameters, WeightType type)
    : output_layer_(parameters.at("generator.output.weight").value,
                    parameters.at("generator.output.bias").value.data, type) {
  const auto weight = parameters.find("generator.copy.weight");
  if (weight == parameters.end()) return;
  copy_gate_ =
      CopyGate{weight->second.value.data, *parameters.at("generator.copy.bias").value.data};
}

std::unique_ptr<InferenceModel> pack_inference_model(const ModelConfig& model,
                                                     const ParameterTable& parameters,
                                                     WeightType type) {
  if (model.architecture == Architecture::kLanguageModel) {
    return std::make_unique<LanguageInferenceModel>(model, parameters, type);
  }
  if (model.architecture == Architecture::kTransformer) {
    return std::make_unique<TransformerInferenceModel>(model, parameters, type);
  }
  return std::make_unique<RecurrentInferenceModel>(model, parameters, type);
}

}  // namespace nmt
