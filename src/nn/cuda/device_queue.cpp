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

namespace {

class StreamQueue : public DeviceQueue {
 public:
  explicit StreamQueue(const torch::Device& device)
      : stream_(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index())) {}

  ~StreamQueue() override {
    try {
      stream_.synchronize();           // before the memory of its work is freed
    } catch (const std::exception&) {  // of a failed launch; wait() has reported it
    }
  }

  StreamQueue(const StreamQueue&) = delete;
  StreamQueue& operator=(const StreamQueue&) = delete;

  void run(const std::function<void()>& work) override {
    const c10::cuda::CUDAStreamGuard guard(stream_);
    work();
  }

  void run_ordered(const std::function<void()>& work) override {
    const auto outside = c10::cuda::getCurrentCUDAStream(stream_.device_index());
    turn_.record(outside);
    turn_.block(stream_);
    run(work);
    turn_.record(stream_);
    turn_.block(outside);
  }

  void repeat(const std::function<void()>& work) override {
    const c10::cuda::CUDAStreamGuard guard(stream_);
    if (uses_++ == 1 && records_) is_recorded_ = record(work);
    if (is_recorded_) {
      graph_->replay();
    } else {
      work();  // the first time: libraries allocate and load when they are first used
    }
  }

  void discard_graph() override {
    uses_ = 0;
    is_recorded_ = false;
  }

  void mark(int64_t slot) override { marks_.at(static_cast<size_t>(slot)).record(stream_); }

  void wait(int64_t slot) override { marks_.at(static_cast<size_t>(slot)).synchronize(); }

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

}  // namespace

#endif

std::unique_ptr<DeviceQueue> make_device_queue([[maybe_unused]] const torch::Device& device) {
#ifdef NMT_HAS_CUDA
  if (device.is_cuda()) return std::make_unique<StreamQueue>(device);
#endif
  return std::make_unique<DeviceQueue>();
}

}  // namespace nmt
