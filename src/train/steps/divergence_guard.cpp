#include "train/steps/divergence_guard.h"

#include <ATen/ATen.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "errors/error.h"
#include "train/steps/named_parameters.h"

namespace nmt {
namespace {

constexpr char kGoodWeights[] = "good_weights";

}  // namespace

DivergenceGuard::DivergenceGuard(std::vector<NamedTensor> parameters)
    : parameters_(std::move(parameters)) {
  for (const auto& [name, tensor] : parameters_) good_.push_back({name, tensor.clone()});
}

void DivergenceGuard::remember() {
  for (size_t i = 0; i < good_.size(); ++i) good_[i].tensor.copy_(parameters_[i].tensor);
}

void DivergenceGuard::record_success(int64_t update) {
  failures_ = 0;
  if (update % kGoodWeightsEvery != 0) return;
  rollbacks_ = 0;
  remember();
}

bool DivergenceGuard::record_failure(int64_t update) {
  ++skipped_;
  if (++failures_ < kFailuresToRollBack) return false;
  failures_ = 0;
  if (++rollbacks_ > kMaxRollbacks) {
    throw Error("training diverged at update " + std::to_string(update) +
                ": gradient still not finite after " + std::to_string(kMaxRollbacks) +
                " rollbacks with reduced learning rates; lower train.learning_rate or "
                "train.clip_norm and use --restart (the model directory holds the best model so "
                "far)");
  }
  for (size_t i = 0; i < good_.size(); ++i) parameters_[i].tensor.copy_(good_[i].tensor);
  return true;
}

nlohmann::json DivergenceGuard::counters() const {
  return {{"failures", failures_}, {"rollbacks", rollbacks_}, {"skipped", skipped_}};
}

void DivergenceGuard::save_state(TensorFile& state) const {
  add_tensors(state, kGoodWeights, good_);
}

void DivergenceGuard::load_state(const TensorFile& state, const nlohmann::json& counters) {
  failures_ = counters.at("failures");
  rollbacks_ = counters.at("rollbacks");
  skipped_ = counters.at("skipped");
  remember();
  read_tensors(state, kGoodWeights, good_);
}

}  // namespace nmt
