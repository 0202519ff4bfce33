#include "reports/event_follower.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "errors/error.h"
#include "files/file.h"
#include "reports/event_file.h"
#include "reports/run_history.h"

namespace nmt {
namespace {

constexpr std::chrono::seconds kBetweenLooks{2};

double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string whole_lines(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return "";
  auto text = read_file(path);
  text.resize(text.rfind('\n') + 1);  // none: 0
  return text;
}

double last_second(const RunHistory& history) {
  double seconds = 0.0;
  for (const auto& point : history.training) seconds = std::max(seconds, point.seconds);
  for (const auto& point : history.validations) seconds = std::max(seconds, point.seconds);
  return seconds;
}

}  // namespace

struct EventFollower::Impl {
  Impl(std::filesystem::path metrics_path, std::filesystem::path events)
      : metrics(std::move(metrics_path)), folder(std::move(events)) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error || ::access(folder.c_str(), W_OK) != 0) {
      throw Error("--tensorboard " + folder.string() +
                  ": cannot be written: " + (error ? error.message() : std::strerror(errno)));
    }
  }

  void look() {
    const auto text = whole_lines(metrics);
    // A run that went back to its last saving: TensorBoard forgets what a lower update makes void.
    if (text.compare(0, seen.size(), seen) != 0) seen.clear();
    if (text.size() == seen.size()) return;
    const auto history = parse_history(text.substr(seen.size()), metrics.string());
    if (!file) file.emplace(folder, now());
    if (seen.empty()) began = now() - last_second(history);
    for (const auto& point : history.training) {
      file->add(began + point.seconds, point.update,
                {{"train/loss", point.loss},
                 {"train/learning_rate", point.learning_rate},
                 {"train/gradient_norm", point.gradient_norm},
                 {"train/tokens_per_second", point.tokens_per_second}});
    }
    for (const auto& point : history.validations) {
      file->add(began + point.seconds, point.update,
                {{"validation/loss", point.loss},
                 {"validation/bleu", point.bleu},
                 {"validation/chrf", point.chrf}});
    }
    file->flush();
    seen = text;
  }

  /// False when nothing can be written any more.
  bool look_or_warn() {
    try {
      look();
      return true;
    } catch (const std::exception& error) {
      spdlog::warn("--tensorboard: {}; no more events are written", error.what());
      return false;
    }
  }

  void follow() {
    std::unique_lock<std::mutex> lock(mutex);
    bool last = false;
    while (look_or_warn() && !last) {
      changed.wait_for(lock, kBetweenLooks, [this] { return ending; });
      last = ending;
    }
  }

  std::filesystem::path metrics;
  std::filesystem::path folder;
  std::optional<EventFile> file;  // from the first line on
  std::string seen;
  double began = 0.0;

  std::mutex mutex;
  std::condition_variable changed;
  bool ending = false;
  std::thread thread;
};

EventFollower::EventFollower(const std::filesystem::path& metrics,
                             const std::filesystem::path& folder)
    : impl_(std::make_unique<Impl>(metrics, folder)) {
  impl_->thread = std::thread([this] { impl_->follow(); });
}

EventFollower::~EventFollower() {
  {
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    impl_->ending = true;
  }
  impl_->changed.notify_all();
  impl_->thread.join();
  std::error_code ignored;
  if (!impl_->file) std::filesystem::remove(impl_->folder, ignored);  // where it is empty
}

}  // namespace nmt
