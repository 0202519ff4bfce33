#pragma once

#include <torch/types.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "config/choices.h"
#include "distributed/process_group.h"

namespace nmt {

/// All-reduces the gradients of a process group while they are still being computed (Li et al.
/// 2020, PyTorch Distributed, 3.2.3): the gradient lies in buckets, and a complete bucket is
/// reduced while the next is computed. All processes send the buckets in the same order.
///
/// Of an embedding's gradient only rows whose tokens occur in some process's batches are sent, a
/// small part of a large vocabulary; all others are 0.
class GradientExchange {
 public:
  /// Where the gradient is accumulated: flat, or [V, E] with sparse rows.
  struct Bucket {
    torch::Tensor gradient;
    bool sparse_rows = false;
  };

  GradientExchange(ProcessGroup& group, std::vector<Bucket> buckets,
                   GradientCompression compression = GradientCompression::kNone);

  /// Declares the rows that this process adds to in a sparse bucket. Call before begin().
  void add_sparse_rows(size_t bucket, const torch::Tensor& rows);

  /// Call before the last backward pass: from now on a bucket is final, and may be sent, after
  /// complete(). Collective.
  void begin();

  /// Declares that this process's gradient in the bucket is complete. Buckets are sent in order.
  void complete(size_t bucket);

  /// Sends all buckets that have not been sent.
  void complete_all();

  /// Waits until the buckets hold the sum of all processes. Throws ProcessLost.
  void wait();

 private:
  struct Transfer {
    Bucket bucket;
    bool complete = false;
    torch::Tensor row_counts;  // [V] int32: number of processes that add to each row
    std::function<void()> wait_for_row_counts;
    torch::Tensor rows;              // [U] int64: rows with a count above 0
    torch::Tensor sent;              // [U, E], or the gradient itself
    std::function<void()> send_sum;  // the second half of a compressed transfer
    std::function<void()> wait_for_sent;
  };

  void send_complete();
  void send(Transfer& transfer);

  ProcessGroup& group_;
  GradientCompression compression_;
  std::vector<Transfer> transfers_;
  size_t num_sent_ = 0;
  bool begun_ = false;
};

}  // namespace nmt
