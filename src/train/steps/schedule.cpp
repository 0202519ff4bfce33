#include "train/steps/schedule.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace nmt {

int64_t last_update(const TrainConfig& config, const EpochSize& epoch, const TrainedAmount& done) {
  int64_t last = 0;
  const auto consider = [&](int64_t update) {
    if (update > 0) last = last == 0 ? update : std::min(last, update);
  };
  consider(config.max_updates);
  consider(config.max_epochs * epoch.updates);
  if (config.max_tokens > 0 && epoch.updates > 0) {
    const double tokens_per_update = epoch.target_tokens / static_cast<double>(epoch.updates);
    const auto left = static_cast<double>(config.max_tokens - done.target_tokens);
    consider(done.updates + static_cast<int64_t>(std::ceil(left / tokens_per_update)));
  }
  return last;
}

LearningRateSchedule::LearningRateSchedule(const TrainConfig& config, int64_t hidden_size)
    : config_(config) {
  if (config.schedule != ScheduleKind::kNoam) return;
  const auto warmup = std::max<int64_t>(config.warmup_updates, 1);
  config_.learning_rate /= std::sqrt(static_cast<double>(hidden_size * warmup));
}

double LearningRateSchedule::decay(int64_t update, int64_t epoch, int64_t last_update) const {
  switch (config_.schedule) {
    case ScheduleKind::kConstant:
      return 1.0;
    case ScheduleKind::kLinear: {
      const auto last = static_cast<double>(last_update);
      const auto warmup = static_cast<double>(config_.warmup_updates);
      return std::max((last - static_cast<double>(update) + 1) / std::max(last - warmup, 1.0), 0.0);
    }
    case ScheduleKind::kInverseSqrt:
    case ScheduleKind::kNoam: {
      const auto warmup = static_cast<double>(std::max<int64_t>(config_.warmup_updates, 1));
      return std::sqrt(warmup / static_cast<double>(update));
    }
    case ScheduleKind::kStep: {
      const int64_t late = std::max<int64_t>(epoch - config_.decay_start_epoch, 0);
      const int64_t steps = (late + config_.decay_epochs - 1) / config_.decay_epochs;
      return std::pow(config_.decay_factor, static_cast<double>(steps));
    }
    case ScheduleKind::kPlateau:
      return std::pow(config_.decay_factor, static_cast<double>(plateau_decays_));
  }
  return 1.0;
}

double LearningRateSchedule::rate(int64_t update, int64_t epoch, int64_t last_update) const {
  if (update <= config_.warmup_updates) {
    return scale_ * config_.learning_rate * static_cast<double>(update) /
           static_cast<double>(config_.warmup_updates);
  }
  const double floor = std::min(config_.min_learning_rate, config_.learning_rate);
  return scale_ * std::max(config_.learning_rate * decay(update, epoch, last_update), floor);
}

void LearningRateSchedule::observe_validation(bool improved) {
  validations_without_improvement_ = improved ? 0 : validations_without_improvement_ + 1;
  if (validations_without_improvement_ < std::max<int64_t>(config_.plateau_patience, 1)) return;
  validations_without_improvement_ = 0;
  ++plateau_decays_;
}

nlohmann::json LearningRateSchedule::to_json() const {
  return {{"validations_without_improvement", validations_without_improvement_},
          {"plateau_decays", plateau_decays_},
          {"scale", scale_}};
}

void LearningRateSchedule::restore(const nlohmann::json& state) {
  validations_without_improvement_ = state.at("validations_without_improvement");
  plateau_decays_ = state.at("plateau_decays");
  scale_ = state.at("scale");
}

}  // namespace nmt
