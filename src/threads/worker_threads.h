#pragma once

#include <functional>
#include <thread>
#include <vector>

namespace nmt {

/// A thread that runs `body`. Throws Error where the system has none left to give; whoever started
/// others by then must stop and join them before the Error leaves.
std::thread start_thread(std::function<void()> body);

/// Threads that run one function until they are asked to stop; joined at the end of their lifetime.
class WorkerThreads {
 public:
  /// `stop` makes every call of `work`, begun or not, return. When a thread cannot be started,
  /// stops and joins those that were and throws Error.
  WorkerThreads(int count, const std::function<void()>& work, std::function<void()> stop);
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

 private:
  void stop_and_join();

  std::function<void()> stop_;
  std::vector<std::thread> threads_;
};

}  // namespace nmt
