#include "train/time_plan.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace nmt {
namespace {

constexpr double kShare = 0.92;       // of the remaining time; the rest is a margin for errors
constexpr double kMinTraining = 0.5;  // minimum share of the time after preparation
constexpr double kFirstReview = 1.0 / 16;
constexpr double kFirstLowering = 1.0 / 4;  // earlier reviews only raise the number of updates
constexpr double kLastReview = 0.8;   // the first review after this share, at 7/8, is the last
constexpr int64_t kMinUpdates = 8;    // fewer say little about the pace,
constexpr double kLongUpdates = 0.1;  // unless they take this share of the time

/// Limits the run to `updates`, unless another limit ends it earlier.
void end_after(int64_t updates, TrainConfig& train, const EpochSize& epoch,
               const TrainedAmount& done) {
  train.max_updates = 0;
  const int64_t wanted = last_update(train, epoch, done);
  if (wanted == 0 || updates < wanted) train.max_updates = std::max<int64_t>(updates, 1);
}

}  // namespace

TimePlan::TimePlan(Settings& settings, const TrainingCost& cost) {
  if (settings.automatic.count("train.max_updates") == 0) return;
  settings.automatic.clear();
  const double left = std::max(settings.train.max_minutes * 60 - cost.before, 0.0);
  // At least a second: a resumed run may get more time, and only an active plan follows it.
  seconds_ = std::max({left - cost.after, kMinTraining * left, 1.0});
  const double updates = kShare * seconds_ / cost.update_with_validations(settings.validation);
  end_after(static_cast<int64_t>(updates), settings.train, cost.epoch, {});
  validation_ = cost.validation / cost.update;
  next_review_ = kFirstReview * seconds_;
}

/// The cost of `updates` updates and their validations, in updates.
double TimePlan::work(const Settings& settings, const EpochSize& epoch, int64_t updates) const {
  return static_cast<double>(updates) +
         validation_ *
             static_cast<double>(updates / validation_interval(settings.validation, epoch));
}

/// The next review, in seconds: 1/16, 1/8, 1/4, 1/2, 3/4, 7/8 of the time, then its end.
double TimePlan::review_after(double review) const {
  if (review > kLastReview * seconds_) return seconds_;
  return std::min(2 * review, (review + seconds_) / 2);
}

bool TimePlan::review(Settings& settings, const EpochSize& epoch, const TrainedAmount& done,
                      double seconds) {
  if (!is_active() || done.updates <= reviewed_updates_) return false;
  const bool is_last = done.updates + 1 == settings.train.max_updates;
  if (seconds >= seconds_) {
    if (is_last) return false;
    end_after(done.updates + 1, settings.train, epoch, done);
    return true;
  }
  if (reviewed_updates_ == 0) {
    reviewed_seconds_ = seconds;
    reviewed_updates_ = done.updates;
    return false;
  }
  const bool says_enough = done.updates >= reviewed_updates_ + kMinUpdates ||
                           seconds >= reviewed_seconds_ + kLongUpdates * seconds_;
  const bool is_due = seconds >= next_review_ && says_enough;
  const bool ends_before_it = is_last && next_review_ < seconds_;
  if (!is_due && !ends_before_it) return false;
  while (next_review_ <= seconds) next_review_ = review_after(next_review_);
  // The pace since the last review, not since the beginning.
  const double pace = (seconds - reviewed_seconds_) / (work(settings, epoch, done.updates) -
                                                       work(settings, epoch, reviewed_updates_));
  const double with_validations =
      pace *
      (1 + validation_ / static_cast<double>(validation_interval(settings.validation, epoch)));
  const auto more = static_cast<int64_t>(kShare * (seconds_ - seconds) / with_validations);
  // At least the next update, which follows anyway: beyond the end, its linear rate would be 0.
  int64_t last = done.updates + std::max<int64_t>(more, 1);
  if (seconds < kFirstLowering * seconds_) {
    last = std::max(last, last_update(settings.train, epoch, done));
  }
  end_after(last, settings.train, epoch, done);
  reviewed_seconds_ = seconds;
  reviewed_updates_ = done.updates;
  return true;
}

void TimePlan::add_minutes(double minutes, TrainConfig& train, int64_t updates) {
  if (!is_active() || minutes == 0) return;
  seconds_ = std::max(seconds_ + 60 * minutes, 1.0);
  // Usually at once, since the last update may come before the next review.
  next_review_ = std::min(next_review_, reviewed_seconds_ + 1);
  const bool ended = train.max_updates > 0 && updates >= train.max_updates;
  if (ended && minutes > 0) train.max_updates = updates + 1;
}

nlohmann::json TimePlan::to_json() const {
  if (!is_active()) return nullptr;
  return {{"seconds", seconds_},
          {"validation", validation_},
          {"next_review", next_review_},
          {"reviewed_seconds", reviewed_seconds_},
          {"reviewed_updates", reviewed_updates_}};
}

TimePlan TimePlan::from_json(const nlohmann::json& state) {
  TimePlan plan;
  if (state.is_null()) return plan;
  plan.seconds_ = state.at("seconds");
  plan.validation_ = state.at("validation");
  plan.next_review_ = state.at("next_review");
  plan.reviewed_seconds_ = state.at("reviewed_seconds");
  plan.reviewed_updates_ = state.at("reviewed_updates");
  return plan;
}

}  // namespace nmt
