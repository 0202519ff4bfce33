#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <memory>

namespace nmt {

/// A queue of work for a device. On a GPU it is a stream of its own, and the host does not wait for
/// the work; on a CPU it is this class itself: work is done when it is queued.
class DeviceQueue {
 public:
  DeviceQueue() = default;
  virtual ~DeviceQueue() = default;
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;

  /// Queues what `work` launches.
  virtual void run(const std::function<void()>& work) { work(); }

  /// As run(), of work that uses what this thread launches outside of the queue: it comes after all
  /// that the thread has launched, and before what it launches next.
  virtual void run_ordered(const std::function<void()>& work) { work(); }

  /// As run(), for work that launches the same kernels on the same memory every time. The host
  /// takes longer to launch a kernel than the GPU to run it, so the second call records a CUDA
  /// graph, which it and later calls launch. If recording fails for lack of memory, the kernels are
  /// launched one by one.
  virtual void repeat(const std::function<void()>& work) { work(); }

  /// Call when the work of repeat() changes or uses other memory.
  virtual void discard_graph() {}

  /// Marks the end of what has been queued, for wait(): at slot 0 … kSlots − 1.
  virtual void mark(int64_t) {}

  /// Waits until everything before the last mark at this slot is done.
  virtual void wait(int64_t) {}

  static constexpr int64_t kSlots = 4;
};

std::unique_ptr<DeviceQueue> make_device_queue(const torch::Device& device);

}  // namespace nmt
