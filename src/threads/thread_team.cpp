#include "threads/thread_team.h"

namespace nmt {

// clang-tidy takes the vector for an exception that is not thrown.
ThreadTeam::ThreadTeam(int size)
    : failures_(static_cast<size_t>(size)),  // NOLINT(bugprone-throw-keyword-missing)
      others_(
          size - 1, [this](int i) { work(i + 1); },
          [this] {
            {
              const std::lock_guard<std::mutex> lock(mutex_);
              dismissed_ = true;
            }
            begin_.notify_all();
          }) {}

void ThreadTeam::run(const std::function<void(int)>& task) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    task_ = &task;
    working_ = size() - 1;
    ++round_;
  }
  begin_.notify_all();
  perform(0);
  std::unique_lock<std::mutex> lock(mutex_);
  end_.wait(lock, [this] { return working_ == 0; });
  for (const auto& failure : failures_) {
    if (failure) std::rethrow_exception(failure);
  }
}

void ThreadTeam::work(int member) {
  int64_t rounds_done = 0;
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    begin_.wait(lock, [&] { return dismissed_ || round_ > rounds_done; });
    if (dismissed_) return;
    rounds_done = round_;
    lock.unlock();
    perform(member);
    lock.lock();
    if (--working_ == 0) end_.notify_one();
  }
}

void ThreadTeam::perform(int member) {
  auto& failure = failures_[static_cast<size_t>(member)];
  failure = nullptr;
  try {
    (*task_)(member);
  } catch (...) {
    failure = std::current_exception();
  }
}

}  // namespace nmt
