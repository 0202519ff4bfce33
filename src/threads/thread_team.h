#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include "threads/worker_threads.h"

namespace nmt {

/// A thread pool: starting threads for every batch would cost more than a small batch. The thread
/// that creates the team is member 0.
class ThreadTeam {
 public:
  /// Throws Error if the threads cannot be started.
  explicit ThreadTeam(int size);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return static_cast<int>(failures_.size()); }

  /// Runs task(member) on all members concurrently and waits for them. If members throw, rethrows
  /// the exception of the lowest-numbered one.
  void run(const std::function<void(int)>& task);

 private:
  void work(int member);
  void perform(int member);

  std::vector<std::exception_ptr> failures_;
  const std::function<void(int)>* task_ = nullptr;

  std::mutex mutex_;  // guards what follows
  std::condition_variable begin_;
  std::condition_variable end_;
  int64_t round_ = 0;
  int working_ = 0;
  bool dismissed_ = false;

  WorkerThreads others_;  // all members but the first; joined before anything else is destroyed
};

}  // namespace nmt
