#pragma once

#include <torch/types.h>

#include <functional>
#include <memory>

#include "distributed/peer_watch.h"
#include "distributed/process_place.h"

namespace nmt {

/// The network below a ProcessGroup of several processes: c10d's.
class Connection {
 public:
  virtual ~Connection() = default;

  /// Each begins an operation on the tensor, which it keeps, and returns what waits for its end and
  /// throws PeersLost.
  virtual std::function<void()> sum(const torch::Tensor& tensor) = 0;
  virtual std::function<void()> broadcast(const torch::Tensor& tensor) = 0;  // the leader's

  virtual PeerWatch& watch() = 0;
};

/// Meets the other processes. Throws Error when they do not come, or this program was built without
/// what it takes.
std::unique_ptr<Connection> connect(const ProcessPlace& place,
                                    std::function<void(const std::string& loss)> too_late);

/// What carries the tensors, "Gloo"; empty where there is nothing.
std::string connection_name();

}  // namespace nmt
