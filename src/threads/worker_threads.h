#pragma once

#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace nmt {

/// Throws Error if the thread cannot be started.
std::thread start_thread(std::function<void()> body);

/// Threads that run one function until asked to stop; the destructor joins them. Make this the last
/// member of a class, so that they are joined before the members that they use are destroyed.
class WorkerThreads {
 public:
  /// Each thread calls work(number), from 0. `stop` must make every call return, whether it has
  /// begun or not. If a thread cannot be started, stops and joins the others and throws Error.
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
