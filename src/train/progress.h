#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "config/settings.h"
#include "train/steps/schedule.h"

namespace nmt {

/// The state of a run; loss and speed are averages since the last report.
struct TrainingProgress {
  int64_t epoch = 1;
  int64_t update = 0;
  double loss = 0.0;  // mean negative log-likelihood per target token, in nats
  double learning_rate = 0.0;
  double gradient_norm = 0.0;      // before clipping
  int64_t skipped_updates = 0;     // in total; loss or gradient was not finite
  double tokens_per_second = 0.0;  // source and target tokens together
  double seconds = 0.0;            // since training began
  double fraction = 0.0;  // progress towards the nearest limit, in [0, 1]; 0 without limits
};

/// Progress towards the nearest limit, in [0, 1].
double fraction_done(const TrainConfig& config, int64_t updates_per_epoch,
                     const TrainedAmount& done, double seconds);

/// "12:05" or "1:02:03".
std::string clock_text(double seconds);

/// exp(loss) with `decimals` digits, or ">1e6" above that.
std::string perplexity_text(double loss, int decimals);

/// The progress line: epoch, update, loss, perplexity, learning rate, tokens/s, time left.
std::string progress_text(const TrainingProgress& progress);

/// As much as fits into `columns`, in order of priority: percentage, time left, speed, update,
/// loss, epoch, learning rate, perplexity; if there is room, a bar in front.
std::string progress_bar(const TrainingProgress& progress, size_t columns);

/// Shows progress on standard error: a bar that is redrawn on a terminal, plain lines elsewhere.
class ProgressDisplay {
 public:
  ProgressDisplay();
  ~ProgressDisplay();

  /// Redraws the bar, or logs a line.
  void report(const TrainingProgress& progress);

  /// Removes the bar, so that other lines can be written.
  void clear();

 private:
  bool terminal_;
  bool drawn_ = false;
};

}  // namespace nmt
