#include "threads/worker_threads.h"

#include <string>
#include <system_error>
#include <utility>

#include "errors/error.h"

namespace nmt {

WorkerThreads::WorkerThreads(int count, const std::function<void()>& work,
                             std::function<void()> stop)
    : stop_(std::move(stop)) {
  try {
    threads_.reserve(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) threads_.emplace_back(work);
  } catch (const std::system_error& error) {
    const auto started = std::to_string(threads_.size());
    stop_and_join();
    throw Error("threads: only " + started + " of " + std::to_string(count) +
                " could be started (" + error.code().message() +
                "); use fewer threads or raise the limit (ulimit -u)");
  }
}

WorkerThreads::~WorkerThreads() { stop_and_join(); }

void WorkerThreads::stop_and_join() {
  stop_();
  for (auto& thread : threads_) thread.join();
}

}  // namespace nmt
