#include "train/steps/fused_optimizer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/optimizer_update.h"
#include "kernels/part.h"

namespace nmt {

FusedOptimizer::FusedOptimizer(const TrainConfig& config, std::vector<RateSegment> segments)
    : config_(config), segments_(std::move(segments)), size_(segments_.back().end) {
  first_moment_.take_zeros(1, size_);
  const bool is_adam =
      config.optimizer == OptimizerKind::kAdam || config.optimizer == OptimizerKind::kAdamW;
  if (is_adam) second_moment_.take_zeros(1, size_);
}

void FusedOptimizer::reset() {
  steps_ = 0;
  std::fill_n(first_moment(), size_, 0.0F);
  if (second_moment() != nullptr) std::fill_n(second_moment(), size_, 0.0F);
}

double FusedOptimizer::step(double learning_rate, float* parameters, float* gradient,
                            ThreadTeam& team) {
  zero_frozen(gradient);
  const double norm = norm_of(gradient, team);
  if (!std::isfinite(norm)) {
    std::fill(gradient, gradient + size_, 0.0F);
    return norm;
  }
  ++steps_;
  const bool clipped = config_.clip_norm > 0 && norm > config_.clip_norm;
  const double scale = clipped ? config_.clip_norm / norm : 1.0;
  team.run([&](int member) {
    const auto range = part_of(size_, member, team.size());
    int64_t begin = range.first;
    for (const auto& segment : segments_) {
      const int64_t end = std::min(segment.end, range.first + range.count);
      if (end <= begin) continue;
      update_range(learning_rate * segment.factor, scale, begin, end - begin, parameters + begin,
                   gradient + begin);
      begin = end;
    }
  });
  return norm;
}

void FusedOptimizer::zero_frozen(float* gradient) const {
  int64_t begin = 0;
  for (const auto& segment : segments_) {
    if (segment.factor == 0.0) std::fill(gradient + begin, gradient + segment.end, 0.0F);
    begin = segment.end;
  }
}

double FusedOptimizer::norm_of(const float* gradient, ThreadTeam& team) const {
  std::vector<double> squares(static_cast<size_t>(team.size()));
  team.run([&](int member) {
    const auto range = part_of(size_, member, team.size());
    squares[static_cast<size_t>(member)] = sum_of_squares(range.count, gradient + range.first);
  });
  double sum = 0.0;
  for (const double square : squares) sum += square;
  return std::sqrt(sum);
}

void FusedOptimizer::update_range(double learning_rate, double scale, int64_t begin, int64_t count,
                                  float* parameters, float* gradient) {
  const auto as_float = [](double value) { return static_cast<float>(value); };
  float* first_moment = first_moment_.matrix().data + begin;
  if (config_.optimizer == OptimizerKind::kSgd) {
    SgdStep step;
    step.learning_rate = as_float(learning_rate);
    step.momentum = as_float(config_.momentum);
    step.gradient_scale = as_float(scale);
    step.l2_penalty = as_float(config_.weight_decay);
    sgd_update(step, count, parameters, gradient, first_moment);
    return;
  }
  const bool decoupled = config_.optimizer == OptimizerKind::kAdamW;
  const auto steps = static_cast<double>(steps_);
  AdamStep step;
  step.beta1 = as_float(config_.adam_beta1);
  step.beta2 = as_float(config_.adam_beta2);
  step.one_minus_beta1 = as_float(1.0 - config_.adam_beta1);
  step.one_minus_beta2 = as_float(1.0 - config_.adam_beta2);
  step.epsilon = as_float(config_.adam_epsilon);
  step.step_size = as_float(learning_rate / (1.0 - std::pow(config_.adam_beta1, steps)));
  step.root_correction = as_float(1.0 / std::sqrt(1.0 - std::pow(config_.adam_beta2, steps)));
  step.gradient_scale = as_float(scale);
  step.l2_penalty = decoupled ? 0.0F : as_float(config_.weight_decay);
  step.shrinkage = decoupled ? as_float(1.0 - learning_rate * config_.weight_decay) : 1.0F;
  adam_update(step, count, parameters, gradient, first_moment,
              second_moment_.matrix().data + begin);
}

}  // namespace nmt
