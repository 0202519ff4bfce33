#include "nn/cuda/device_queue.h"

#ifdef NMT_HAS_CUDA
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>

#include <array>
#include <exception>
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
    } catch (const std::exception&) {  // of a launch that failed; who waits for it has been told
    }
  }

  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void run(const std::function<void()>& work) {
    before_.record(c10::cuda::getCurrentCUDAStream(stream_.device_index()));
    before_.block(stream_);
    const c10::cuda::CUDAStreamGuard guard(stream_);
    work();
  }

  void repeat(const std::function<void()>& work) {
    const c10::cuda::CUDAStreamGuard guard(stream_);
    if (uses_ == 0) {
      work();  // libraries allocate and load when they are first used
    } else {
      if (uses_ == 1) record(work);
      graph_->replay();
    }
    ++uses_;
  }

  void forget() { uses_ = 0; }

  void mark(size_t place) { marks_.at(place).record(stream_); }

  void wait(size_t place) { marks_.at(place).synchronize(); }

 private:
  void record(const std::function<void()>& work) {
    // Shares the memory of the graph before it, which is not used again. Other threads may launch
    // what they like in the meantime.
    auto graph = std::make_unique<at::cuda::CUDAGraph>();
    graph->capture_begin(graph_ ? graph_->pool() : at::cuda::MempoolId_t{0, 0},
                         cudaStreamCaptureModeThreadLocal);
    try {
      work();
    } catch (...) {
      try {
        graph->capture_end();            // or nothing could be launched any more
      } catch (const std::exception&) {  // what `work` threw says more
      }
      throw;
    }
    graph->capture_end();
    stream_.synchronize();  // the old one may still run
    graph_ = std::move(graph);
  }

  c10::cuda::CUDAStream stream_;
  at::cuda::CUDAEvent before_;
  std::array<at::cuda::CUDAEvent, kPlaces> marks_;
  int64_t uses_ = 0;  // of the work of repeat()
  std::unique_ptr<at::cuda::CUDAGraph> graph_;
};

DeviceQueue::DeviceQueue(const torch::Device& device)
    : stream_(device.is_cuda() ? std::make_unique<Stream>(device) : nullptr) {}

void DeviceQueue::run(const std::function<void()>& work) { stream_ ? stream_->run(work) : work(); }

void DeviceQueue::repeat(const std::function<void()>& work) {
  stream_ ? stream_->repeat(work) : work();
}

void DeviceQueue::forget() {
  if (stream_) stream_->forget();
}

void DeviceQueue::mark(int64_t place) {
  if (stream_) stream_->mark(static_cast<size_t>(place));
}

void DeviceQueue::wait(int64_t place) {
  if (stream_) stream_->wait(static_cast<size_t>(place));
}

#else

class DeviceQueue::Stream {};

DeviceQueue::DeviceQueue(const torch::Device&) {}

void DeviceQueue::run(const std::function<void()>& work) { work(); }

void DeviceQueue::repeat(const std::function<void()>& work) { work(); }

void DeviceQueue::forget() {}

void DeviceQueue::mark(int64_t) {}

void DeviceQueue::wait(int64_t) {}

#endif

DeviceQueue::~DeviceQueue() = default;

}  // namespace nmt
