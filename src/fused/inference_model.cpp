#include "fused/inference_model.h"

#include "fused/language_inference_model.h"
#include "fused/recurrent_inference_model.h"
#include "fused/transformer_inference_model.h"

namespace nmt {

std::unique_ptr<InferenceModel> pack_inference_model(const ModelConfig& model,
                                                     ParameterTable parameters, WeightType type) {
  if (model.architecture == Architecture::kLanguageModel) {
    return std::make_unique<LanguageInferenceModel>(model, parameters, type);
  }
  if (model.architecture == Architecture::kTransformer) {
    return std::make_unique<TransformerInferenceModel>(model, parameters, type);
  }
  return std::make_unique<RecurrentInferenceModel>(model, std::move(parameters), type);
}

}  // namespace nmt
