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
///
/// Of an embedding's gradient only the rows of tokens that some process has in its batches are
/// sent, a small part of a large vocabulary; all others are zeros.
class GradientExchange {
 public:
  /// Where the gradient is computed into: flat, or [V, E] where few rows are ever added to.
  struct Bucket {
    torch::Tensor gradient;
    bool few_rows = false;
  };

  GradientExchange(ProcessGroup& peers, std::vector<Bucket> buckets);

  /// This process adds to these rows of the bucket, which has few; before begin().
  void touch(size_t bucket, const torch::Tensor& ids);

  /// From now on buckets may be sent: nothing more is added to one after complete(). Every process
  /// calls it.
  void begin();

  /// This process's part of the bucket is whole; it is sent once all before it are.
  void complete(size_t bucket);

  /// Sends what is left.
  void complete_all();

  /// Waits until the buckets have the sum of all processes. Throws PeersLost.
  void wait();

 private:
  struct Sending {
    Bucket bucket;
    bool complete = false;
    torch::Tensor touched;  // [V] int32: how many processes add to each row
    std::function<void()> wait_for_touched;
    torch::Tensor rows;  // [U] int64: those that any does
    torch::Tensor sent;  // [U, E], or the gradient itself
    std::function<void()> wait_for_sent;
  };

  void send_complete();
  void send(Sending& sending);

  ProcessGroup& peers_;
  std::vector<Sending> sendings_;
  size_t num_sent_ = 0;
  bool begun_ = false;
};

}  // namespace nmt
