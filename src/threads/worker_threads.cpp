#include "threads/worker_threads.h"

#include <system_error>
#include <utility>

#include "errors/error.h"

namespace nmt {

std::thread start_thread(std::function<void()> body) {
  try {
    return std::thread(std::move(body));
  } catch (const std::system_error& error) {
    throw Error(
        "threads: cannot start another (" + error.code().message() +
        "); raise the limits that `ulimit -a` lists, or use a smaller --threads or smaller stacks: "
        "`ulimit -s 2048`");
  }
}

WorkerThreads::WorkerThreads(int count, const std::function<void(int)>& work,
                             std::function<void()> stop)
    : stop_(std::move(stop)) {
  try {
    for (int i = 0; i < count; ++i) threads_.push_back(start_thread([work, i] { work(i); }));
  } catch (...) {
    stop_and_join();
    throw;
  }
}

WorkerThreads::~WorkerThreads() { stop_and_join(); }

void WorkerThreads::stop_and_join() {
  stop_();
  for (auto& thread : threads_) thread.join();
}

}  // namespace nmt
