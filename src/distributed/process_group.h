#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "distributed/rank_info.h"
#include "errors/error.h"

namespace nmt {

class CollectiveBackend;

/// Another process of the group has ended or cannot be reached.
class ProcessLost : public Error {
 public:
  using Error::Error;
};

/// The processes that train one model together, over LibTorch's c10d. Its operations are
/// collective: every process calls the same ones in the same order. A group of one needs no
/// network, and its sums and broadcasts leave their argument unchanged.
///
/// All throw ProcessLost when a process ends or does not respond (distributed/heartbeat_monitor.h);
/// after that only stop_watching() and end_program() may be called.
class ProcessGroup {
 public:
  /// A group of one.
  ProcessGroup();

  /// Connects to the others, waiting for them up to ten minutes. Throws Error.
  explicit ProcessGroup(const RankInfo& rank);
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  int rank() const { return rank_.rank; }
  int size() const { return rank_.size; }
  bool is_rank_zero() const { return rank_.rank == 0; }
  int local_rank() const { return rank_.local_rank; }  // on this machine

  /// Starts to sum a tensor over all processes, in place; returns a function that waits for the
  /// result. Do not touch the tensor until then. All processes get the same bits.
  std::function<void()> all_reduce_async(const torch::Tensor& tensor);

  /// Starts to send row r of `sent` to process r, whose `received` gets it as the row of this
  /// process's rank. Both have as many rows as the group has processes. Returns a function that
  /// waits for the rows of all.
  std::function<void()> all_to_all_async(const torch::Tensor& received, const torch::Tensor& sent);

  /// Σ over all processes, element by element.
  std::vector<double> all_reduce(std::vector<double> values);

  /// Whether it is true in any process.
  bool any(bool value);

  /// Copies rank 0's tensor to all, in place.
  void broadcast(const torch::Tensor& tensor);

  /// Returns rank 0's bytes.
  std::string broadcast(const std::string& bytes);

  /// Every process's bytes, by rank.
  std::vector<std::string> gather(const std::string& bytes);

  /// Returns when all processes have called it.
  void barrier();

  /// Ends the work: waits for the others, then stops the heartbeats.
  void leave();

  /// After a loss the program is ended some seconds later, unless this is called: to save.
  void stop_watching();

  /// Sends the others the reason, prints the message as `nmt` prints errors and ends the program
  /// with exit code 1, or that of a signal that came, whatever its threads wait for.
  [[noreturn]] void end_program(const std::string& message);

 private:
  RankInfo rank_;
  std::unique_ptr<CollectiveBackend> backend_;  // null in a group of one
};

}  // namespace nmt
