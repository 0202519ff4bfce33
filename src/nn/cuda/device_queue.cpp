#include "nn/cuda/device_queue.h"

#ifdef NMT_HAS_CUDA
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>

#include <array>
#include <exception>

#include "errors/out_of_memory.h"
#endif

namespace nmt {

#ifdef NMT_HAS_CUDA

class DeviceQueue::Stream {
 public:
  explicit Stream(const torch::Device& device)
      : stream_(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index())) {}

  ~Stream() {
    try {
      stream_.synchronize();           // before the memory of its work is freed
    } catch (const std::exception&) {  // of a failed launch; wait() has reported it
    }
  }

  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void run(const std::function<void()>& work) {
    const c10::cuda::CUDAStreamGuard guard(stream_);
    work();
  }

  void run_ordered(const std::function<void()>& work) {
    const auto outside = c10::cuda::getCurrentCUDAStream(stream_.device_index());
    turn_.record(outside);
    turn_.block(stream_);
    run(work);
    turn_.record(stream_);
    turn_.block(outside);
  }

  void repeat(const std::function<void()>& work) {
    const c10::cuda::CUDAStreamGuard guard(stream_);
    if (uses_++ == 1 && records_) is_recorded_ = record(work);
    if (is_recorded_) {
      graph_->replay();
    } else {
      work();  // the first time: libraries allocate and load when they are first used
    }
  }

  void discard_graph() {
    uses_ = 0;
    is_recorded_ = false;
  }

  void mark(size_t slot) { marks_.at(slot).record(stream_); }

  void wait(size_t slot) { marks_.at(slot).synchronize(); }

 private:
  /// False if memory does not suffice for the graph.
  bool record(const std::function<void()>& work) {
    auto graph = std::make_unique<at::cuda::CUDAGraph>();
    try {
      // Reuses the previous graph's memory. Other threads may launch work meanwhile.
      graph->capture_begin(pool_, cudaStreamCaptureModeThreadLocal);
      records_ = succeeds(work);
      graph->capture_end();
    } catch (const std::exception& error) {
      leave_pool();
      if (records_ && !is_out_of_memory(error.what())) throw;
      records_ = false;
    }
    if (!records_) return false;
    stream_.synchronize();  // the old one may still run
    graph_ = std::move(graph);
    return true;
  }

  /// Exceptions are not lost: the work that fails is then run again, unrecorded.
  static bool succeeds(const std::function<void()>& work) {
    try {
      work();
    } catch (const std::exception&) {
      return false;
    }
    return true;
  }

  /// Makes the allocator leave the pool if a recording that failed has not.
  void leave_pool() const {
    try {
      c10::cuda::CUDACachingAllocator::endAllocateToPool(stream_.device_index(), pool_);
    } catch (const std::exception&) {  // capture_end() got that far
    }
  }

  c10::cuda::CUDAStream stream_;
  at::cuda::CUDAEvent turn_;
  std::array<at::cuda::CUDAEvent, kSlots> marks_;
  int64_t uses_ = 0;  // of the work of repeat()
  bool is_recorded_ = false;
  bool records_ = true;  // false once that has failed
  decltype(at::cuda::graph_pool_handle()) pool_ = at::cuda::graph_pool_handle();
  std::unique_ptr<at::cuda::CUDAGraph> graph_;
};

DeviceQueue::DeviceQueue(const torch::Device& device)
    : stream_(device.is_cuda() ? std::make_unique<Stream>(device) : nullptr) {}

void DeviceQueue::run(const std::function<void()>& work) { stream_ ? stream_->run(work) : work(); }

void DeviceQueue::run_ordered(const std::function<void()>& work) {
  stream_ ? stream_->run_ordered(work) : work();
}

void DeviceQueue::repeat(const std::function<void()>& work) {
  stream_ ? stream_->repeat(work) : work();
}

void DeviceQueue::discard_graph() {
  if (stream_) stream_->discard_graph();
}

void DeviceQueue::mark(int64_t slot) {
  if (stream_) stream_->mark(static_cast<size_t>(slot));
}

void DeviceQueue::wait(int64_t slot) {
  if (stream_) stream_->wait(static_cast<size_t>(slot));
}

#else

class DeviceQueue::Stream {};

DeviceQueue::DeviceQueue(const torch::Device&) {}

void DeviceQueue::run(const std::function<void()>& work) { work(); }

void DeviceQueue::run_ordered(const std::function<void()>& work) { work(); }

void DeviceQueue::repeat(const std::function<void()>& work) { work(); }

void DeviceQueue::discard_graph() {}

void DeviceQueue::mark(int64_t) {}

void DeviceQueue::wait(int64_t) {}

#endif

DeviceQueue::~DeviceQueue() = default;

}  // namespace nmt
