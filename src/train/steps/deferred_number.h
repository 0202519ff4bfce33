#pragma once

#include <c10/core/Event.h>
#include <torch/types.h>

#include <memory>
#include <vector>

namespace nmt {

/// A number that a GPU may still be computing. Its copy to the CPU is queued at once; reading it
/// waits only for that copy, not for what is queued later.
class DeferredNumber {
 public:
  DeferredNumber(double value = 0.0) : known_(value) {}  // NOLINT: as a double is used

  /// `value`: a float32 scalar on any device.
  explicit DeferredNumber(const torch::Tensor& value);

  DeferredNumber& operator+=(const DeferredNumber& other);

  bool is_known() const { return copies_.empty(); }

  operator double() const;  // NOLINT

 private:
  struct Copy {
    torch::Tensor number;  // in pinned memory
    std::shared_ptr<c10::Event> done;
  };

  double known_ = 0.0;
  std::vector<Copy> copies_;  // whose sum is added
};

}  // namespace nmt
