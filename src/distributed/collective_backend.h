#pragma once

#include <torch/types.h>

#include <functional>
#include <memory>
#include <string>

#include "distributed/heartbeat_monitor.h"
#include "distributed/rank_info.h"

namespace nmt {

/// The communication layer of a ProcessGroup, implemented with c10d.
class CollectiveBackend {
 public:
  virtual ~CollectiveBackend() = default;

  /// Each starts an operation on the tensors, keeping references to them, and returns a function
  /// that waits for the result or throws ProcessLost.
  virtual std::function<void()> all_reduce(const torch::Tensor& tensor) = 0;  // the sum
  virtual std::function<void()> broadcast(const torch::Tensor& tensor) = 0;   // rank 0's
  virtual std::function<void()> all_to_all(const torch::Tensor& received,
                                           const torch::Tensor& sent) = 0;  // row by row

  virtual Heartbeats& heartbeats() = 0;
};

/// Connects to the other processes. `on_timeout`: as for HeartbeatMonitor. Throws Error if they do
/// not connect, or if this program was built without a backend.
std::unique_ptr<CollectiveBackend> connect_backend(
    const RankInfo& rank, std::function<void(const std::string& loss)> on_timeout);

/// "Gloo", or "" in a build without a backend.
std::string backend_name();

}  // namespace nmt
