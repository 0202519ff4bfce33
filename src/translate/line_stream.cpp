#include "translate/line_stream.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "support/line_reader.h"

namespace nmt {
namespace {

// Enough batches in a window that sentences of like length find each other.
constexpr size_t kWindowBatches = 16;

bool arrives_over_time(const std::filesystem::path& input) {
  struct stat status {};
  const bool known =
      input == "-" ? ::fstat(STDIN_FILENO, &status) == 0 : ::stat(input.c_str(), &status) == 0;
  return known && !S_ISREG(status.st_mode);
}

/// Reads ahead on a thread of its own, so that lines can be taken as they are there. Shared with
/// that thread, which may wait for a terminal longer than anybody wants its lines.
class LineQueue {
 public:
  static std::shared_ptr<LineQueue> start(const std::filesystem::path& input, size_t capacity) {
    auto queue = std::make_shared<LineQueue>(input, capacity);
    std::thread([queue] { queue->read_all(); }).detach();
    return queue;
  }

  LineQueue(const std::filesystem::path& input, size_t capacity)
      : reader_(input), capacity_(capacity) {}

  /// Waits for a line, then takes all that are there; nothing at the end of the input.
  std::vector<std::string> take() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !lines_.empty() || finished_; });
    std::vector<std::string> taken(lines_.begin(), lines_.end());
    lines_.clear();
    changed_.notify_all();
    if (taken.empty() && failure_) std::rethrow_exception(failure_);
    return taken;
  }

 private:
  void read_all() {
    std::exception_ptr failure;
    try {
      for (std::string line; reader_.next(line);) push(line);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    failure_ = failure;
    finished_ = true;
    changed_.notify_all();
  }

  void push(const std::string& line) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return lines_.size() < capacity_; });
    lines_.push_back(line);
    changed_.notify_all();
  }

  LineReader reader_;
  size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool finished_ = false;
  std::exception_ptr failure_;
};

class WindowTranslator {
 public:
  WindowTranslator(const Translator& translator, const TranslationOptions& options,
                   const LineGuides& guides, const TranslationSink& sink)
      : translator_(translator), options_(options), guides_(guides), sink_(sink) {}

  void operator()(const std::vector<std::string>& lines) {
    const size_t first = num_lines_;
    num_lines_ += lines.size();
    if (!guides_.empty() && num_lines_ > guides_.size()) return;  // only counts them
    const auto translations =
        translator_.translate(lines, options_, guides_.slice(first, lines.size()));
    for (size_t i = 0; i < lines.size(); ++i) {
      sink_(static_cast<int64_t>(first + i + 1), lines[i], translations[i]);
    }
  }

  size_t num_lines() const { return num_lines_; }

 private:
  const Translator& translator_;
  const TranslationOptions& options_;
  const LineGuides& guides_;
  const TranslationSink& sink_;
  size_t num_lines_ = 0;
};

void require_lines(const LineGuides& guides, const std::filesystem::path& input) {
  if (guides.empty()) return;
  LineReader reader(input);
  size_t num_lines = 0;
  for (std::string line; reader.next(line);) ++num_lines;
  guides.require_lines(input, num_lines);
}

}  // namespace

void translate_stream(const Translator& translator, const std::filesystem::path& input,
                      const TranslationOptions& options, const LineGuides& guides,
                      const TranslationSink& sink) {
  const size_t window =
      kWindowBatches * static_cast<size_t>(std::max<int64_t>(options.batch_size, 1));
  WindowTranslator translate(translator, options, guides, sink);
  if (arrives_over_time(input)) {
    const auto queue = LineQueue::start(input, window);
    for (auto lines = queue->take(); !lines.empty(); lines = queue->take()) translate(lines);
    guides.require_lines(input, translate.num_lines());
    return;
  }
  if (input != "-") require_lines(guides, input);  // standard input can be read only once
  LineReader reader(input);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) {
    lines.push_back(line);
    if (lines.size() < window) continue;
    translate(lines);
    lines.clear();
  }
  if (!lines.empty()) translate(lines);
  guides.require_lines(input, translate.num_lines());
}

}  // namespace nmt
