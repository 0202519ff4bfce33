#include "train/steps/flat_parameters.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <memory>

#include "fused/buffer.h"
#include "processes/heap.h"
#include "train/steps/named_parameters.h"

namespace nmt {
namespace {

constexpr char kSourceEmbedding[] = "emb_src.weight";
constexpr char kTargetEmbedding[] = "emb_dec.weight";
constexpr int64_t kAlignment = 16;  // floats in a cache line

int64_t aligned_size(const torch::Tensor& tensor) {
  return (tensor.numel() + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

FlatParameters::FlatParameters(const std::vector<Seq2Seq>& models) {
  const auto parameters = unique_parameters_of(models);
  int64_t size = 0;
  for (const auto& parameter : parameters) size += aligned_size(parameter);
  const auto memory = std::make_shared<Buffer>();
  values_ = torch::from_blob(memory->take_zeros(1, size).data, {size}, [memory](void*) {});

  std::map<const void*, int64_t> offsets;
  int64_t offset = 0;
  for (const auto& parameter : parameters) {
    const auto place = values_.narrow(0, offset, parameter.numel()).view(parameter.sizes());
    place.copy_(parameter.detach());
    parameter.set_data(place);
    offsets[parameter.unsafeGetTensorImpl()] = offset;
    offset += aligned_size(parameter);
  }
  release_freed_memory();  // the old memory of the parameters
  for (const auto& model : models) {
    auto& [places, unique] = models_.emplace_back();
    for (const auto& item : model->named_parameters()) {
      const auto& parameter = item.value();
      const int64_t columns = parameter.size(-1);
      places[item.key()] = {offsets.at(parameter.unsafeGetTensorImpl()),
                            parameter.numel() / columns, columns};
    }
    for (const auto& [name, parameter] : unique_named_parameters(model)) {
      unique.push_back({name, places.at(name).offset, parameter.sizes().vec()});
    }
  }
}

ParameterTable FlatParameters::table(float* gradient, size_t model) const {
  ParameterTable table;
  for (const auto& [name, place] : models_[model].places) {
    auto& parameter = table[name];
    parameter.value = {data() + place.offset, place.rows, place.columns};
    parameter.gradient = {gradient + place.offset, place.rows, place.columns};
  }
  return table;
}

std::vector<ParameterSegment> FlatParameters::gradient_segments() const {
  std::vector<ParameterSegment> all;
  for (size_t model = 0; model < models_.size(); ++model) {
    const auto segments = segments_of(model);
    all.insert(all.end(), segments.begin(), segments.end());
  }
  return all;
}

std::vector<ParameterSegment> FlatParameters::segments_of(size_t model) const {
  std::map<int64_t, ParameterSegment> parameters;  // by offset
  for (const auto& [name, place] : models_[model].places) {
    const bool embedding = name == kSourceEmbedding || name == kTargetEmbedding;
    const ParameterSegment segment{model,
                                   gradient_part_of(name),
                                   place.offset,
                                   place.rows * place.columns,
                                   embedding ? name : "",
                                   embedding ? place.rows : 0};
    const auto [known, is_new] = parameters.emplace(place.offset, segment);
    if (is_new) continue;
    known->second.part = std::max(known->second.part, segment.part);
    known->second.sparse_embedding.clear();
  }
  std::vector<ParameterSegment> segments;
  for (const auto& [offset, parameter] : parameters) {
    const bool joins = !segments.empty() && segments.back().part == parameter.part &&
                       segments.back().sparse_embedding.empty() &&
                       parameter.sparse_embedding.empty();
    if (joins) {
      segments.back().size = offset + parameter.size - segments.back().offset;
    } else {
      segments.push_back(parameter);
    }
  }
  std::stable_sort(segments.begin(), segments.end(),
                   [](const auto& a, const auto& b) { return a.part < b.part; });
  return segments;
}

std::vector<RateSegment> FlatParameters::rate_segments(const std::vector<double>& factors) const {
  std::vector<RateSegment> segments;
  auto factor = factors.begin();
  for (const auto& model : models_) {
    for (const auto& parameter : model.unique) {
      if (!segments.empty()) segments.back().end = parameter.offset;
      if (segments.empty() || segments.back().factor != *factor) segments.push_back({0, *factor});
      ++factor;
    }
  }
  segments.back().end = size();
  return segments;
}

std::vector<NamedTensor> FlatParameters::views(float* memory, size_t model) const {
  std::vector<NamedTensor> tensors;
  for (const auto& [name, offset, shape] : models_[model].unique) {
    tensors.push_back({name, torch::from_blob(memory + offset, shape)});
  }
  return tensors;
}

}  // namespace nmt
