#include "train/steps/training_step.h"

#include <utility>

#include "checkpoint/parameter_shapes.h"
#include "errors/error.h"
#include "kernels/bfloat16.h"
#include "processes/interrupt.h"
#include "train/objectives/objective.h"
#include "train/steps/fused_step.h"
#include "train/steps/fused_training.h"
#include "train/steps/mixed_precision.h"
#include "train/steps/named_parameters.h"
#include "train/steps/plain_step.h"

namespace nmt {

TrainingStep::TrainingStep(const Seq2Seq& model, std::unique_ptr<Objective> objective)
    : objective_(std::move(objective)), auxiliary_(objective_->auxiliary_model()), models_{model} {
  if (!auxiliary_.is_empty()) models_.push_back(auxiliary_);
}

std::vector<double> TrainingStep::rate_factors(const TrainConfig& config) const {
  std::vector<double> factors;
  for (const auto& model : models_) {
    const auto of_model = learning_rate_factors(model, config.optimizer);
    factors.insert(factors.end(), of_model.begin(), of_model.end());
  }
  std::vector<std::string> names;
  for (const auto& parameter : unique_named_parameters(models_.front())) {
    names.push_back(parameter.name);
  }
  const auto frozen = frozen_parameters(names, config.freeze);
  for (size_t i = 0; i < frozen.size(); ++i) {
    if (frozen[i]) factors[i] = 0.0;
  }
  return factors;
}

std::vector<NamedTensor> TrainingStep::auxiliary_parameters() const {
  if (auxiliary_.is_empty()) return {};
  auto parameters = unique_named_parameters(auxiliary_);
  for (auto& parameter : parameters) parameter.name = "auxiliary." + parameter.name;
  return parameters;
}

DeferredNumber TrainingStep::accumulate_gradients(const std::vector<Batch>& batches, double scale) {
  DeferredNumber loss;
  if (exchange_) announce_sparse_rows(batches);
  for (size_t i = 0; i < batches.size(); ++i) {
    // An update may be a whole epoch. With several processes, they stop together after it.
    if (!exchange_ && i > 0) stop_if_interrupted("interrupted within an update");
    if (exchange_ && i + 1 == batches.size()) exchange_->begin();
    loss += accumulate_gradient(batches[i], scale);
  }
  if (exchange_) exchange_->complete_all();
  return loss;
}

void require_training_step(const Seq2SeqOptions& options, const TrainConfig& config,
                           const torch::Device& device) {
  std::vector<std::string> names;
  for (auto& parameter : parameter_shapes(options)) {
    if (is_tied_copy(parameter.name, options)) continue;
    names.push_back(std::move(parameter.name));
  }
  frozen_parameters(names, config.freeze);
  const auto obstacle = fused_training_unsupported_reason(options, config, device.is_cpu());
  if (config.engine == TrainingEngine::kFused && !obstacle.empty()) {
    throw Error("train.engine: fused does not support this run: " + obstacle +
                "; set it to auto or plain");
  }
  if (device.is_cpu() && config.precision == TrainingPrecision::kBfloat16 &&
      !has_bfloat16_products()) {
    throw Error(
        "train.precision: bfloat16 needs a processor with AVX512-BF16 and a build with oneDNN "
        "(see nmt info); use float32");
  }
  autocast_type(config.precision, device);  // throws
}

std::unique_ptr<TrainingStep> make_training_step(const Seq2Seq& model, const TrainConfig& config,
                                                 const torch::Device& device, int threads,
                                                 const Tokenizers& tokenizers,
                                                 ProcessGroup* group) {
  require_training_step(model->options(), config, device);
  auto objective = make_objective(config, tokenizers, device);
  const auto auxiliary = objective->auxiliary_model();
  if (!auxiliary.is_empty()) {
    auto of_auxiliary = config;
    of_auxiliary.freeze.clear();  // only the first model's parameters are frozen
    require_training_step(auxiliary->options(), of_auxiliary, device);
  }
  const auto fused = [&](const Seq2Seq& network) {
    return trains_fused(network->options(), config, device.is_cpu());
  };
  if (fused(model) && (auxiliary.is_empty() || fused(auxiliary))) {
    return std::make_unique<FusedStep>(model, config, std::move(objective), threads, group);
  }
  return std::make_unique<PlainStep>(model, config, std::move(objective), device,
                                     device.is_cpu() ? threads : 1, group);
}

}  // namespace nmt
