#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "distributed/process_place.h"
#include "errors/error.h"

namespace nmt {

class Connection;

/// Another process of the group has ended or cannot be reached.
class PeersLost : public Error {
 public:
  using Error::Error;
};

/// The processes that train one model together, over LibTorch's c10d: what they agree on, by
/// operations that every one of them calls in the same order. The only process there is needs no
/// network, and every operation leaves its argument as it is.
///
/// All throw PeersLost when a process ends, or is silent for long (distributed/peer_watch.h).
/// After that the group is of no use and only end_program() is left.
class ProcessGroup {
 public:
  /// A group of one.
  ProcessGroup();

  /// Meets the others; they have ten minutes to come. Throws Error.
  explicit ProcessGroup(const ProcessPlace& place);
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  int rank() const { return place_.rank; }
  int size() const { return place_.size; }
  bool is_leader() const { return place_.rank == 0; }
  int local_rank() const { return place_.local_rank; }  // on this machine

  /// Begins to sum a tensor over all processes, in place; the function that it returns waits for
  /// the end of that. The tensor is not to be touched until then. All processes get the same bits.
  std::function<void()> sum_later(const torch::Tensor& tensor);

  /// Σ over all processes, element by element.
  std::vector<double> sum(std::vector<double> values);

  /// Whether it is true of any process.
  bool any(bool value);

  /// The leader's tensor, in place.
  void broadcast(const torch::Tensor& tensor);

  /// The leader's bytes.
  std::string broadcast(const std::string& bytes);

  /// Every process's bytes, by rank.
  std::vector<std::string> gather(const std::string& bytes);

  /// Returns when all processes have come here.
  void meet();

  /// The end of the work: waits for the others. From then on none of them is missed.
  void leave();

  /// Tells the others why, prints the message as `nmt` prints errors and ends the program with 1,
  /// whatever its threads wait for.
  [[noreturn]] void end_program(const std::string& message);

 private:
  ProcessPlace place_;
  std::unique_ptr<Connection> connection_;  // null in a group of one
};

}  // namespace nmt
