#include "decode/fused_model.h"

#include <ATen/ATen.h>

namespace nmt {

FusedSeq2SeqOptions fused_options(const Seq2SeqOptions& options) {
  FusedSeq2SeqOptions fused;
  fused.cell = options.cell == Cell::kGru ? RecurrentCell::kGru : RecurrentCell::kLstm;
  fused.num_layers = options.num_layers;
  fused.input_feeding = options.input_feeding;
  return fused;
}

std::unique_ptr<InferenceModel> make_inference_model(const Seq2Seq& model, WeightType type) {
  ParameterTable parameters;
  for (const auto& item : model->named_parameters()) {
    const auto& value = item.value();
    TORCH_CHECK(value.is_cpu() && value.is_contiguous(), item.key(), " is not plain memory");
    const int64_t columns = value.size(-1);
    parameters[item.key()].value = {value.data_ptr<float>(), value.numel() / columns, columns};
  }
  return std::make_unique<InferenceModel>(fused_options(model->options()), parameters, type);
}

}  // namespace nmt
