#include "train/steps/deferred_number.h"

#include <ATen/ATen.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <chrono>
#include <thread>

namespace nmt {

DeferredNumber::DeferredNumber(const torch::Tensor& value) {
  const auto device = value.device();
  if (device.is_cpu()) {
    known_ = value.item<double>();
    return;
  }
  Copy copy{torch::empty({}, torch::dtype(torch::kFloat32).pinned_memory(true)),
            std::make_shared<c10::Event>(device.type())};
  copy.number.copy_(value.detach(), /*non_blocking=*/true);
  copy.done->record(c10::impl::VirtualGuardImpl(device.type()).getStream(device));
  copies_.push_back(std::move(copy));
}

DeferredNumber& DeferredNumber::operator+=(const DeferredNumber& other) {
  known_ += other.known_;
  copies_.insert(copies_.end(), other.copies_.begin(), other.copies_.end());
  return *this;
}

DeferredNumber::operator double() const {
  // LibTorch 1.13's events cannot be waited for. Sleeping leaves the core to other threads.
  constexpr std::chrono::microseconds kPause(20);
  double sum = known_;
  for (const auto& [number, done] : copies_) {
    while (!done->query()) std::this_thread::sleep_for(kPause);
    sum += double{*number.data_ptr<float>()};
  }
  return sum;
}

}  // namespace nmt
