#pragma once

#include <torch/types.h>

#include <functional>
#include <memory>

namespace nmt {

/// Work that a device does in order while the host goes on: on a GPU, in a stream of its own. On a
/// CPU all work is done at once.
class DeviceQueue {
 public:
  explicit DeviceQueue(const torch::Device& device);
  ~DeviceQueue();

  /// Queues what `work` launches, after all that this thread has launched before.
  void run(const std::function<void()>& work);

  /// Queues work that launches the same kernels on the same memory every time. Launching each of
  /// them takes the host longer than it takes the GPU to run it, so after the first time they are
  /// launched together, as a CUDA graph.
  void repeat(const std::function<void()>& work);

  /// The next work of repeat() is another, or uses other memory.
  void forget();

  /// Marks the end of what has been queued, for wait().
  void mark(int64_t place);

  /// Waits until everything before the last mark at this place is done.
  void wait(int64_t place);

  static constexpr int64_t kPlaces = 4;

 private:
  class Stream;
  std::unique_ptr<Stream> stream_;  // null on a CPU
};

}  // namespace nmt
