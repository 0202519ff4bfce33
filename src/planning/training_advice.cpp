#include "planning/training_advice.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "errors/shell_word.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

constexpr size_t kMinValidations = 5;
constexpr double kFalls = 0.01;  // share of the loss
constexpr double kRises = 0.01;  // likewise
constexpr double kBelow = 0.10;  // likewise: the training text is memorized
constexpr int64_t kEpochsToJudge = 3;
constexpr double kQuarter = 0.25;  // of the updates

/// The lowest loss of the validations up to an update.
double lowest_until(const std::vector<ValidationPoint>& validations, double update) {
  double lowest = validations.front().loss;
  for (const auto& point : validations) {
    if (static_cast<double>(point.update) <= update) lowest = std::min(lowest, point.loss);
  }
  return lowest;
}

/// Mean training loss after an update, or of the last report. Reports of skipped updates have none.
double training_loss_after(const std::vector<TrainPoint>& training, double update) {
  double sum = 0;
  double count = 0;
  for (const auto& point : training) {
    if (static_cast<double>(point.update) <= update || std::isnan(point.loss)) continue;
    sum += point.loss;
    ++count;
  }
  return count > 0 ? sum / count : training.back().loss;
}

/// The flag that raises the limit which ended a run, such as "--train.max-updates".
std::string limit_flag(const std::string& stop_reason) {
  for (const char* limit : {"updates", "epochs", "tokens"}) {
    if (stop_reason == "max_" + std::string(limit) + " reached") {
      return "--train.max-" + std::string(limit);
    }
  }
  return "--validation.patience";
}

}  // namespace

std::string training_advice(const RunHistory& history, const std::string& limit) {
  const auto& validations = history.validations;
  const auto& training = history.training;
  if (validations.size() < kMinValidations || training.empty()) return "";
  const auto end = static_cast<double>(validations.back().update);
  const double lowest = lowest_until(validations, end);
  const double last = validations.back().loss;
  const double before = lowest_until(validations, (1 - kQuarter) * end);
  const double learned = training_loss_after(training, (1 - kQuarter / 2) * end);
  if (!std::isfinite(lowest + last + learned) || lowest <= 0) return "";
  const double falls = 1 - lowest / before;
  if (last - lowest >= kRises * lowest) {
    return fmt::format(
        "more data: validation loss rose from {:.3f} to {:.3f} while training loss fell to {:.3f}; "
        "add training text, or raise model.dropout",
        lowest, last, learned);
  }
  if (validations.back().epoch > 0 && validations.back().epoch < kEpochsToJudge) {
    return fmt::format("more time: the run ended in epoch {}; raise {}", validations.back().epoch,
                       limit);
  }
  if (falls >= kFalls) {
    return fmt::format(
        "more time: validation loss still fell by {:.1f} % in the last quarter of the run; raise "
        "{}",
        100 * falls, limit);
  }
  if (learned < (1 - kBelow) * lowest) {
    return fmt::format(
        "more data: training loss, {:.3f}, is far below validation loss, {:.3f}; add training "
        "text, or raise model.dropout",
        learned, lowest);
  }
  return fmt::format(
      "a larger model: validation loss, {:.3f}, no longer falls, and training loss, {:.3f}, is not "
      "far below it; raise model.hidden_size or lower model.dropout",
      lowest, learned);
}

std::string limit_to_raise(const std::string& stop_reason, const TrainConfig& train,
                           const std::string& between) {
  if (stop_reason == "max_minutes reached") return "--minutes";
  const bool timed = train.max_minutes > 0 && begins_with(stop_reason, "max_");
  return (timed ? "--minutes" + between : "") + limit_flag(stop_reason);
}

std::string command_to_double(const std::string& directory, const std::string& stop_reason,
                              const Settings& settings) {
  const auto& train = settings.train;
  const bool is_lm = settings.model.architecture == Architecture::kLanguageModel;
  auto command =
      fmt::format("nmt {}train --resume -m {}", is_lm ? "lm " : "", shell_word(directory));
  const bool ends_at_limit = begins_with(stop_reason, "max_");
  if (ends_at_limit && train.max_minutes > 0) {
    command += fmt::format(" --minutes {:g}", 2 * train.max_minutes);
  }
  if (stop_reason == "max_minutes reached") return command;
  const auto value = stop_reason == "max_updates reached"  ? train.max_updates
                     : stop_reason == "max_epochs reached" ? train.max_epochs
                     : stop_reason == "max_tokens reached" ? train.max_tokens
                                                           : settings.validation.patience;
  command += fmt::format(" {} {}", limit_flag(stop_reason), 2 * value);
  const bool follows_end = ends_at_limit && train.schedule == ScheduleKind::kLinear;
  return command + (follows_end ? " --accept-changes" : "");
}

}  // namespace nmt
