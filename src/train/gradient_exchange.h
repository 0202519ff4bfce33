#pragma once

#include <torch/types.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "distributed/process_group.h"

namespace nmt {

/// Sums the gradients of all processes while they are still being computed (Li et al. 2020, PyTorch
/// Distributed, 3.2.3): the gradient lies in buckets, and a bucket that is complete is on its way
/// while the next is worked out. All processes send the buckets in the same order.
class GradientExchange {
 public:
  /// The buckets are flat, and where the gradient is computed into.
  GradientExchange(ProcessGroup& peers, std::vector<torch::Tensor> buckets);

  /// From now on buckets may be sent: nothing more is added to one after complete().
  void begin() { sending_ = true; }

  /// This process's part of the bucket is whole; it is sent once all before it are.
  void complete(size_t bucket);

  /// Sends what is left.
  void complete_all();

  /// Waits until the buckets have the sum of all processes. Throws PeersLost.
  void wait();

 private:
  void send_complete();

  ProcessGroup& peers_;
  std::vector<torch::Tensor> buckets_;
  std::vector<bool> complete_;
  std::vector<std::function<void()>> sent_;  // what waits for each, in order
  bool sending_ = false;
};

}  // namespace nmt
