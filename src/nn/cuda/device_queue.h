#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <memory>

namespace nmt {

/// A queue of work for a device. On a GPU it is a stream of its own, and the host does not wait for
/// the work; on a CPU, work is done when it is queued.
class DeviceQueue {
 public:
  explicit DeviceQueue(const torch::Device& device);
  ~DeviceQueue();

  /// Queues what `work` launches.
  void run(const std::function<void()>& work);

  /// As run(), of work that uses what this thread launches outside of the queue: it comes after all
  /// that the thread has launched, and before what it launches next.
  void run_in_turn(const std::function<void()>& work);

  /// As run(), of work that launches the same kernels on the same memory every time. Launching each
  /// of them takes the host longer than it takes the GPU to run it, so the second call records them
  /// as a CUDA graph, and it and later ones launch that. Where recording fails, for lack of memory,
  /// they are launched one by one.
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
