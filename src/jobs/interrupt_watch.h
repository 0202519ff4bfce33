#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace nmt {

/// Ends the program on a signal without waiting for the current batch, which may take minutes.
/// `before_end` runs on another thread.
class InterruptWatch {
 public:
  explicit InterruptWatch(std::function<void()> before_end);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

 private:
  void watch();

  std::function<void()> before_end_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace nmt
