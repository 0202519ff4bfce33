#pragma once

#include <torch/types.h>

#include <functional>
#include <memory>
#include <string>

#include "distributed/heartbeat_monitor.h"
#include "distributed/rank_info.h"

namespace nmt {

/// The network below a ProcessGroup: c10d's.
class CollectiveBackend {
 public:
  virtual ~CollectiveBackend() = default;

  /// Each starts an operation on the tensors, which it keeps, and returns a function that waits for
  /// its end and throws ProcessLost.
  virtual std::function<void()> all_reduce(const torch::Tensor& tensor) = 0;  // the sum
  virtual std::function<void()> broadcast(const torch::Tensor& tensor) = 0;   // rank 0's
  virtual std::function<void()> all_to_all(const torch::Tensor& received,
                                           const torch::Tensor& sent) = 0;  // row by row

  virtual Heartbeats& heartbeats() = 0;
};

/// Connects to the other processes. `on_timeout` is HeartbeatMonitor's. Throws Error when they do
/// not come, or this program was built without what it takes.
std::unique_ptr<CollectiveBackend> connect_backend(
    const RankInfo& rank, std::function<void(const std::string& loss)> on_timeout);

/// What carries the tensors, "Gloo"; empty without a backend.
std::string backend_name();

}  // namespace nmt
