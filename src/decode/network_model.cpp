#include "decode/network_model.h"

#include <ATen/ATen.h>

namespace nmt {

std::unique_ptr<InferenceModel> inference_model_of(const Seq2Seq& network, WeightType type) {
  ParameterTable parameters;
  for (const auto& item : network->named_parameters()) {
    const auto& value = item.value();
    TORCH_CHECK(value.is_cpu() && value.is_contiguous(), item.key(), " is not plain memory");
    const int64_t columns = value.size(-1);
    parameters[item.key()].value = {value.data_ptr<float>(), value.numel() / columns, columns};
  }
  return pack_inference_model(network->options(), parameters, type);
}

}  // namespace nmt
