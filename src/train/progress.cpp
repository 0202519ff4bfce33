#include "train/progress.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace nmt {
namespace {

std::string bar_text(double fraction) {
  constexpr int kWidth = 20;
  const int filled = static_cast<int>(std::lround(fraction * kWidth));
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < filled ? "█" : "░";
  return bar;
}

}  // namespace

double fraction_done(const TrainConfig& config, int64_t updates_per_epoch, int64_t update,
                     double seconds) {
  double fraction = 0.0;
  const auto updates = static_cast<double>(update);
  const auto consider = [&](double done, double limit) {
    if (limit > 0) fraction = std::max(fraction, done / limit);
  };
  consider(updates, static_cast<double>(config.max_updates));
  consider(updates, static_cast<double>(config.max_epochs * updates_per_epoch));
  consider(seconds, config.max_minutes * 60);
  return std::min(fraction, 1.0);
}

std::string clock_text(double seconds) {
  const auto total = static_cast<int64_t>(std::llround(std::max(seconds, 0.0)));
  const int64_t hours = total / 3600;
  const int64_t minutes = total / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, total % 60);
  return fmt::format("{}:{:02}", minutes, total % 60);
}

std::string perplexity_text(double loss, int decimals) {
  const double perplexity = std::exp(loss);
  return perplexity > 1e6 ? ">1e6" : fmt::format("{:.{}f}", perplexity, decimals);
}

std::string progress_text(const TrainingProgress& progress) {
  const bool limited = progress.fraction > 0;
  const double left =
      limited ? progress.seconds * (1 - progress.fraction) / progress.fraction : 0.0;
  return fmt::format(
      "epoch {}  update {}  loss {:.3f}  perplexity {}  learning-rate {:.2e}  tokens/s {:.0f}  "
      "left {}",
      progress.epoch, progress.update, progress.loss, perplexity_text(progress.loss, 2),
      progress.learning_rate, progress.tokens_per_second, limited ? clock_text(left) : "?");
}

ProgressDisplay::ProgressDisplay() : terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressDisplay::~ProgressDisplay() { clear(); }

void ProgressDisplay::report(const TrainingProgress& progress) {
  if (!terminal_) {
    spdlog::info("{}", progress_text(progress));
    return;
  }
  const auto line = fmt::format("\r\033[K{} {:3.0f}%  {}", bar_text(progress.fraction),
                                progress.fraction * 100, progress_text(progress));
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressDisplay::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

}  // namespace nmt
