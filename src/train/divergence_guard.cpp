#include "train/divergence_guard.h"

#include <ATen/ATen.h>

#include <nlohmann/json.hpp>
#include <string>

#include "errors/error.h"
#include "train/steps/named_parameters.h"

namespace nmt {
namespace {

constexpr char kGoodWeights[] = "good_weights";

}  // namespace

DivergenceGuard::DivergenceGuard(const Seq2Seq& model) { remember(model); }

void DivergenceGuard::remember(const Seq2Seq& model) {
  const auto parameters = unique_named_parameters(model);
  good_.resize(parameters.size());
  for (size_t i = 0; i < good_.size(); ++i) {
    if (!good_[i].defined()) good_[i] = torch::empty_like(parameters[i].tensor);
    good_[i].copy_(parameters[i].tensor);
  }
}

void DivergenceGuard::succeeded(int64_t update, const Seq2Seq& model) {
  failures_ = 0;
  if (update % kGoodWeightsEvery != 0) return;
  rollbacks_ = 0;
  remember(model);
}

bool DivergenceGuard::failed(int64_t update, const Seq2Seq& model) {
  ++skipped_;
  if (++failures_ < kFailuresToRollBack) return false;
  failures_ = 0;
  if (++rollbacks_ > kMaxRollbacks) {
    throw Error("training diverged at update " + std::to_string(update) + ": after " +
                std::to_string(kMaxRollbacks) +
                " returns to good weights at lower learning rates the gradient is still not "
                "finite; lower train.learning_rate or train.clip_norm and say --restart (the best "
                "state so far is in the model directory)");
  }
  auto parameters = unique_named_parameters(model);
  for (size_t i = 0; i < good_.size(); ++i) parameters[i].tensor.copy_(good_[i]);
  return true;
}

std::vector<NamedTensor> DivergenceGuard::named(const Seq2Seq& model) const {
  auto tensors = unique_named_parameters(model);
  for (size_t i = 0; i < good_.size(); ++i) tensors[i].tensor = good_[i];
  return tensors;
}

nlohmann::json DivergenceGuard::counters() const {
  return {{"failures", failures_}, {"rollbacks", rollbacks_}, {"skipped", skipped_}};
}

void DivergenceGuard::save_state(const Seq2Seq& model, TensorFile& state) const {
  add_tensors(state, kGoodWeights, named(model));
}

void DivergenceGuard::load_state(const Seq2Seq& model, const TensorFile& state,
                                 const nlohmann::json& counters) {
  failures_ = counters.at("failures");
  rollbacks_ = counters.at("rollbacks");
  skipped_ = counters.at("skipped");
  read_tensors(state, kGoodWeights, named(model));
}

}  // namespace nmt
