#pragma once

#include <torch/types.h>

#include <functional>
#include <vector>

#include "distributed/process_group.h"

namespace nmt {

/// All-reduces a float32 tensor in place but sends bfloat16, half the bytes. Each process sums one
/// part of the tensor, in float32 and in rank order, and sends the sum, rounded again, to all, so
/// all processes get the same bits. The relative error of each rounding is at most 2⁻⁸.
class Bfloat16AllReduce {
 public:
  /// Starts to send each part to the process that sums it. Collective, like the rest; do not touch
  /// the tensor until wait() returns.
  Bfloat16AllReduce(ProcessGroup& group, const torch::Tensor& tensor);

  /// Waits for the parts of the others, and starts to send their sum.
  void send_sum();

  /// Waits for the sums. The group throws ProcessLost.
  void wait();

 private:
  /// Sends row r of each block of `rows` [B, N, S] to process r and receives the same shape into
  /// received_.
  void exchange(const torch::Tensor& rows);
  void wait_for_received();

  ProcessGroup& group_;
  torch::Tensor tensor_;
  torch::Tensor received_;  // [B, N, S] bfloat16: row r of each block comes from process r
  std::vector<std::function<void()>> waits_;  // one per block of received_
};

}  // namespace nmt
