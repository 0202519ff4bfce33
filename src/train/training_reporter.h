#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "train/metrics_log.h"
#include "train/progress.h"
#include "train/validation.h"

namespace nmt {

/// Reports a run's progress: sums since the last report, progress display, log lines and
/// metrics.jsonl. Only sums unless `active`; only rank 0 is.
class TrainingReporter {
 public:
  TrainingReporter(MetricsLog metrics, bool active);

  /// Adds an update to the sums. `loss` is a sum over target tokens, in nats.
  void add_update(double loss, int64_t source_tokens, int64_t target_tokens, double gradient_norm);

  /// Reports the progress and resets the sums.
  void report(const TrainingProgress& now);

  /// Reports a validation and shows `num_samples` of its translations.
  void report_validation(const TrainingProgress& now, const ValidationResult& result,
                         const Validator& validator, int64_t num_samples, bool best);

  void log(const std::string& message);
  void warn(const std::string& message);

  /// Removes the progress bar, so that others can write to the terminal.
  void clear() { display_.clear(); }

  /// Writes the sums into a training state's progress, and all metrics to the disk. Throws Error.
  void save_state(nlohmann::json& progress);
  void load_state(const nlohmann::json& progress);

 private:
  TrainingProgress with_sums(TrainingProgress now) const;

  MetricsLog metrics_;
  ProgressDisplay display_;
  bool active_;

  // Since the last report.
  double loss_sum_ = 0.0;
  int64_t source_tokens_ = 0;
  int64_t target_tokens_ = 0;
  double gradient_norm_ = 0.0;  // of the last update
  double reported_seconds_ = 0.0;
};

}  // namespace nmt
