#pragma once

#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace nmt {

/// Threads that run one function until they are asked to stop; joined at the end of their lifetime.
/// As the last member of a class they are joined before anything that they use is destroyed.
class WorkerThreads {
 public:
  /// Each thread calls work(its number from 0). `stop` makes every call, begun or not, return. When
  /// a thread cannot be started, stops and joins those that were and throws Error.
  WorkerThreads(int count, const std::function<void(int)>& work, std::function<void()> stop);
  WorkerThreads(int count, const std::function<void()>& work, std::function<void()> stop)
      : WorkerThreads(
            count, [work](int) { work(); }, std::move(stop)) {}
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

 private:
  void stop_and_join();

  std::function<void()> stop_;
  std::vector<std::thread> threads_;
};

}  // namespace nmt
