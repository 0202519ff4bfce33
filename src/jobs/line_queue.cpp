#include "jobs/line_queue.h"

#include <thread>
#include <utility>

#include "threads/worker_threads.h"

namespace nmt {

std::shared_ptr<LineQueue> LineQueue::start(const std::filesystem::path& input, size_t capacity,
                                            std::function<void(std::string_view)> check) {
  auto queue = std::make_shared<LineQueue>(input, capacity, std::move(check));
  start_thread([queue] { queue->read_all(); }).detach();
  return queue;
}

LineQueue::LineQueue(const std::filesystem::path& input, size_t capacity,
                     std::function<void(std::string_view)> check)
    : reader_(input), capacity_(capacity), check_(std::move(check)) {}

std::vector<std::string> LineQueue::take() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return !lines_.empty() || finished_; });
  std::vector<std::string> taken(lines_.begin(), lines_.end());
  lines_.clear();
  changed_.notify_all();
  if (taken.empty() && failure_) std::rethrow_exception(failure_);
  return taken;
}

void LineQueue::read_all() {
  std::exception_ptr failure;
  try {
    check_(reader_.require_text());
    for (std::string line; reader_.next(line);) push(line);
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  failure_ = failure;
  finished_ = true;
  changed_.notify_all();
}

void LineQueue::push(const std::string& line) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return lines_.size() < capacity_; });
  lines_.push_back(line);
  changed_.notify_all();
}

}  // namespace nmt
