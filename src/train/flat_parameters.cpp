#include "train/flat_parameters.h"

#include <ATen/ATen.h>

#include "support/heap.h"

namespace nmt {
namespace {

constexpr int64_t kAlignment = 16;  // floats in a cache line

int64_t aligned_size(const torch::Tensor& tensor) {
  return (tensor.numel() + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

FlatParameters::FlatParameters(const Seq2Seq& model) {
  const auto parameters = unique_parameters(*model);
  int64_t size = 0;
  for (const auto& parameter : parameters) size += aligned_size(parameter);
  values_ = torch::from_blob(memory_.take_zeros(1, size).data, {size});

  std::map<const void*, int64_t> offsets;
  int64_t offset = 0;
  for (auto parameter : parameters) {
    const auto place = values_.narrow(0, offset, parameter.numel()).view(parameter.sizes());
    place.copy_(parameter.detach());
    parameter.set_data(place);
    offsets[parameter.unsafeGetTensorImpl()] = offset;
    offset += aligned_size(parameter);
  }
  release_freed_memory();  // where the parameters were
  for (const auto& item : model->named_parameters()) {
    const auto& parameter = item.value();
    const int64_t columns = parameter.size(-1);
    places_[item.key()] = {offsets.at(parameter.unsafeGetTensorImpl()), parameter.numel() / columns,
                           columns};
  }
}

ParameterTable FlatParameters::table(float* gradient) const {
  ParameterTable table;
  for (const auto& [name, place] : places_) {
    auto& parameter = table[name];
    parameter.value = {data() + place.offset, place.rows, place.columns};
    parameter.gradient = {gradient + place.offset, place.rows, place.columns};
  }
  return table;
}

}  // namespace nmt
