#pragma once

#include <memory>

#include "fused/inference_model.h"
#include "fused/packed_decoder_stack.h"

namespace nmt {

/// The language model of nn/language_model.h, packed. Ignores the source.
class LanguageInferenceModel : public InferenceModel {
 public:
  LanguageInferenceModel(const ModelConfig& config, const ParameterTable& parameters,
                         WeightType type)
      : InferenceModel(parameters, type), stack_(config, parameters, type) {}

  std::unique_ptr<InferenceSession> make_session() const override;

 private:
  PackedDecoderStack stack_;
};

}  // namespace nmt
