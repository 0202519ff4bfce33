#include "train/steps/weight_average.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <string>

#include "train/steps/named_parameters.h"

namespace nmt {
namespace {

constexpr char kAverageUpdates[] = "average_updates";

}  // namespace

WeightAverage::WeightAverage(const Seq2Seq& model, double decay) : decay_(decay) { reset(model); }

void WeightAverage::reset(const Seq2Seq& model) {
  updates_ = 0;
  averages_ = unique_named_parameters(model);
  for (auto& average : averages_) average.tensor = average.tensor.clone();
}

void WeightAverage::update(const Seq2Seq& model) {
  ++updates_;
  const auto n = static_cast<double>(updates_);
  const double decay = std::min(decay_, (1 + n) / (10 + n));
  const auto parameters = unique_named_parameters(model);
  for (size_t i = 0; i < averages_.size(); ++i) {
    averages_[i].tensor.lerp_(parameters[i].tensor, 1 - decay);
  }
}

void WeightAverage::exchange(const Seq2Seq& model) {
  auto parameters = unique_named_parameters(model);
  for (size_t i = 0; i < averages_.size(); ++i) {
    const auto weights = parameters[i].tensor.clone();
    parameters[i].tensor.copy_(averages_[i].tensor);
    averages_[i].tensor.copy_(weights);
  }
}

void WeightAverage::save_state(TensorFile& state) const {
  state.metadata[kAverageUpdates] = std::to_string(updates_);
  add_tensors(state, "average", averages_);
}

void WeightAverage::load_state(const Seq2Seq& model, const TensorFile& state) {
  if (state.metadata.count(kAverageUpdates) == 0) {  // the run had no average before
    reset(model);
    return;
  }
  updates_ = read_count(state, kAverageUpdates);
  read_tensors(state, "average", averages_);
}

AveragedWeights::AveragedWeights(WeightAverage* average, const Seq2Seq& model)
    : average_(average), model_(model) {
  if (average_ != nullptr) average_->exchange(model_);
}

AveragedWeights::~AveragedWeights() {
  if (average_ != nullptr) average_->exchange(model_);
}

}  // namespace nmt
