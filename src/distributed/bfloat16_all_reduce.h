#pragma once

#include <torch/types.h>

#include <functional>
#include <vector>

#include "distributed/process_group.h"

namespace nmt {

/// All-reduces a float32 tensor in place, with numbers that travel as bfloat16: in half the bytes.
/// Each process sums one part of the tensor, in float32 and in the order of the ranks, and sends
/// the sum, rounded again, to all. So all processes get the same bits. Each rounding changes a
/// number by at most 2⁻⁸ of it.
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
  /// Sends row r of each block of [B, N, S] to process r, and receives as many into received_.
  void exchange(const torch::Tensor& rows);
  void wait_for_received();

  ProcessGroup& group_;
  torch::Tensor tensor_;
  torch::Tensor received_;  // [B, N, S] bfloat16: row r of each block comes from process r
  std::vector<std::function<void()>> waits_;  // for the blocks of received_
};

}  // namespace nmt
