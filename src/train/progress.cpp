#include "train/progress.h"

#include <spdlog/fmt/fmt.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "errors/log.h"

namespace nmt {
namespace {

constexpr size_t kBarColumns = 20;

size_t terminal_columns() {
  constexpr size_t kUsual = 80;
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col : kUsual;
}

/// The remaining time at the speed so far.
std::string time_left(const TrainingProgress& progress) {
  if (progress.fraction <= 0) return "?";
  return clock_text(progress.seconds / progress.fraction - progress.seconds);
}

std::string bar_text(double fraction) {
  const auto filled = static_cast<size_t>(std::lround(fraction * kBarColumns));
  std::string bar;
  for (size_t i = 0; i < kBarColumns; ++i) bar += i < filled ? "█" : "░";
  return bar;
}

}  // namespace

double fraction_done(const TrainConfig& config, int64_t updates_per_epoch,
                     const TrainedAmount& done, double seconds) {
  double fraction = 0.0;
  const auto updates = static_cast<double>(done.updates);
  const auto consider = [&](double part, double limit) {
    if (limit > 0) fraction = std::max(fraction, part / limit);
  };
  consider(updates, static_cast<double>(config.max_updates));
  consider(updates, static_cast<double>(config.max_epochs * updates_per_epoch));
  consider(static_cast<double>(done.target_tokens), static_cast<double>(config.max_tokens));
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
  return fmt::format(
      "epoch {}  update {}  loss {:.3f}  perplexity {}  learning-rate {:.2e}  tokens/s {:.0f}  "
      "left {}",
      progress.epoch, progress.update, progress.loss, perplexity_text(progress.loss, 2),
      progress.learning_rate, progress.tokens_per_second, time_left(progress));
}

std::string progress_bar(const TrainingProgress& progress, size_t columns) {
  const std::string fields[] = {
      fmt::format("{:3.0f}%", progress.fraction * 100),
      "left " + time_left(progress),
      fmt::format("tokens/s {:.0f}", progress.tokens_per_second),
      fmt::format("update {}", progress.update),
      fmt::format("loss {:.3f}", progress.loss),
      fmt::format("epoch {}", progress.epoch),
      fmt::format("learning-rate {:.2e}", progress.learning_rate),
      "perplexity " + perplexity_text(progress.loss, 2),
  };
  std::string line;
  for (const auto& field : fields) {
    if (!line.empty() && line.size() + 2 + field.size() > columns) break;
    line += (line.empty() ? "" : "  ") + field;
  }
  const bool has_room = line.size() + kBarColumns + 1 <= columns;
  return has_room ? bar_text(progress.fraction) + " " + line : line;
}

ProgressDisplay::ProgressDisplay()
    : terminal_(::isatty(STDERR_FILENO) == 1 && supports_escape_sequences()) {}

ProgressDisplay::~ProgressDisplay() { clear(); }

void ProgressDisplay::report(const TrainingProgress& progress) {
  if (!terminal_) {
    log_info("{}", progress_text(progress));
    return;
  }
  // The last column is left free: some terminals wrap after it.
  const auto line = "\r\033[K" + progress_bar(progress, terminal_columns() - 1);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressDisplay::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

}  // namespace nmt
