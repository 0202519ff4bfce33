#include "jobs/interrupt_watch.h"

#include <chrono>
#include <cstdlib>
#include <utility>

#include "errors/exit_code.h"
#include "processes/interrupt.h"
#include "threads/worker_threads.h"

namespace nmt {

InterruptWatch::InterruptWatch(std::function<void()> before_end)
    : before_end_(std::move(before_end)), thread_(start_thread([this] { watch(); })) {}

InterruptWatch::~InterruptWatch() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void InterruptWatch::watch() {
  constexpr std::chrono::milliseconds kInterval(50);
  std::unique_lock<std::mutex> lock(mutex_);
  while (!changed_.wait_for(lock, kInterval, [this] { return ended_; })) {
    const int signal = interrupting_signal();
    if (signal == 0) continue;
    before_end_();
    std::_Exit(kSignalled + signal);
  }
}

}  // namespace nmt
