#include "decode/fused_model.h"

#include "fused/attention_form.h"

namespace nmt {

std::string fused_unsupported_reason(const Seq2SeqOptions& options) {
  if (options.architecture == Architecture::kRecurrent && !has_attention_form(*options.attention)) {
    return std::string("the attention is ") + options.attention->name;
  }
  return "";
}

std::unique_ptr<InferenceModel> make_inference_model(const Seq2SeqOptions& options,
                                                     const StoredWeights& weights,
                                                     WeightType type) {
  ParameterTable parameters;
  for (const auto& [name, values] : weights.all()) {
    const int64_t rows = values.shape.size() == 2 ? values.shape[0] : 1;
    parameters[name].value = {values.data, rows, values.shape.back()};
  }
  return pack_inference_model(options, parameters, type);
}

}  // namespace nmt
