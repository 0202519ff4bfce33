#include "jobs/line_stream.h"

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

#include "errors/error.h"
#include "files/line_reader.h"

namespace nmt {
namespace {

// Enough batches in a window to group sentences of similar length.
constexpr size_t kWindowBatches = 16;

/// Reads ahead on its own thread, so that lines can be taken as they arrive. Shared with that
/// thread, which may outlive the translation, waiting for a terminal.
class LineQueue {
 public:
  static std::shared_ptr<LineQueue> start(const std::filesystem::path& input, size_t capacity) {
    auto queue = std::make_shared<LineQueue>(input, capacity);
    std::thread([queue] { queue->read_all(); }).detach();
    return queue;
  }

  LineQueue(const std::filesystem::path& input, size_t capacity)
      : reader_(input), capacity_(capacity) {}

  /// Waits for a line, then takes all that have arrived; none at the end of the input.
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
                   LineGuides& guides, size_t first_line, LineSink& sink)
      : translator_(translator),
        options_(options),
        guides_(guides),
        num_lines_(first_line),
        sink_(sink) {}

  void operator()(const std::vector<std::string>& lines) {
    const size_t first = num_lines_;
    num_lines_ += lines.size();
    if (!guides_.empty() && num_lines_ > guides_.size()) return;  // only counts them
    const auto guides = guides_.slice(first, lines.size());
    const auto translations = translated(lines, guides, first);
    for (size_t i = 0; i < lines.size(); ++i) {
      const auto number = static_cast<int64_t>(first + i + 1);
      sink_.add({number, lines[i], guides.empty() ? TranslationConstraints() : guides[i]},
                translations[i]);
    }
  }

  void skip(const std::string& line) {
    ++num_lines_;
    const auto guides = guides_.slice(num_lines_ - 1, 1);
    sink_.skip({static_cast<int64_t>(num_lines_), line,
                guides.empty() ? TranslationConstraints() : guides.front()});
  }

  size_t num_lines() const { return num_lines_; }

 private:
  std::vector<Translation> translated(const std::vector<std::string>& lines,
                                      const std::vector<TranslationConstraints>& guides,
                                      size_t first) const try {
    return translator_.translate(lines, options_, guides);
  } catch (const UsageError&) {
    throw;
  } catch (const Error&) {
    if (!guides.empty()) name_culprit(lines, guides, first);
    throw;
  }

  /// Throws the Error of the line that causes one, with its number.
  void name_culprit(const std::vector<std::string>& lines,
                    const std::vector<TranslationConstraints>& guides, size_t first) const {
    for (size_t i = 0; i < lines.size(); ++i) {
      try {
        translator_.translate({lines[i]}, options_, {guides[i]});
      } catch (const Error& error) {
        throw Error("line " + std::to_string(first + i + 1) + ": " + error.what());
      }
    }
  }

  const Translator& translator_;
  const TranslationOptions& options_;
  LineGuides& guides_;
  size_t num_lines_;
  LineSink& sink_;
};

/// The number of lines before the shard, if it is needed. Throws Error unless there are as many
/// guides as lines.
size_t lines_before(const StreamInput& input, const LineGuides& guides) {
  const bool matters = !guides.empty() || (input.numbered && !input.shard.is_whole());
  if (!matters || input.path == "-") return 0;  // standard input can be read only once
  const auto counts = count_lines(input.path, input.shard);
  guides.require_lines(input.path, static_cast<size_t>(counts.all));
  return static_cast<size_t>(counts.before);
}

}  // namespace

bool arrives_over_time(const std::filesystem::path& input) {
  struct stat status {};
  const bool known =
      input == "-" ? ::fstat(STDIN_FILENO, &status) == 0 : ::stat(input.c_str(), &status) == 0;
  return known && !S_ISREG(status.st_mode);
}

void translate_stream(const Translator& translator, const StreamInput& input,
                      const TranslationOptions& options, LineGuides& guides, LineSink& sink) {
  const size_t window =
      kWindowBatches * static_cast<size_t>(std::max<int64_t>(options.batch_size, 1));
  if (arrives_over_time(input.path)) {
    WindowTranslator translate(translator, options, guides, 0, sink);
    const auto queue = LineQueue::start(input.path, window);
    for (auto lines = queue->take(); !lines.empty(); lines = queue->take()) translate(lines);
    guides.require_lines(input.path, translate.num_lines());
    return;
  }
  WindowTranslator translate(translator, options, guides, lines_before(input, guides), sink);
  ShardReader reader(input.path, input.shard);
  std::string line;
  for (int64_t i = 0; i < input.done && reader.next(line); ++i) translate.skip(line);
  std::vector<std::string> lines;
  while (reader.next(line)) {
    lines.push_back(line);
    if (lines.size() < window) continue;
    translate(lines);
    lines.clear();
    sink.pause();
  }
  if (!lines.empty()) translate(lines);
  if (input.shard.is_whole()) guides.require_lines(input.path, translate.num_lines());
}

}  // namespace nmt
