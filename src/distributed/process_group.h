#pragma once

#include <torch/types.h>

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

/// The processes that train one model together, connected by LibTorch's c10d. Operations are
/// collective: every process must call the same ones in the same order. A group of one needs no
/// network; its sums and broadcasts leave their arguments unchanged.
///
/// All operations throw ProcessLost when a process ends or does not respond
/// (distributed/heartbeat_monitor.h). After that, call only stop_watching() and end_program().
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

  /// Starts to sum a tensor over all processes, in place, and returns a function that waits for the
  /// result. Do not touch the tensor until it returns. All processes get the same bits.
  std::function<void()> all_reduce_async(const torch::Tensor& tensor);

  /// Starts to send row r of `sent` to process r, which receives it in row rank() of `received`.
  /// Both tensors have size() rows. Returns a function that waits for all rows.
  std::function<void()> all_to_all_async(const torch::Tensor& received, const torch::Tensor& sent);

  /// The element-wise sum over all processes.
  std::vector<double> all_reduce(std::vector<double> values);

  /// Whether `value` is true in any process.
  bool any(bool value);

  /// Copies rank 0's tensor to all, in place.
  void broadcast(const torch::Tensor& tensor);

  /// Returns rank 0's bytes.
  std::string broadcast(const std::string& bytes);

  /// Every process's bytes, by rank.
  std::vector<std::string> gather(const std::string& bytes);

  /// Returns when all processes have called it.
  void barrier();

  /// Call at the end of the work: waits for the others, then stops the heartbeats.
  void leave();

  /// Stops the heartbeats, so that after a loss there is time to save. Otherwise the program is
  /// ended once the grace period is over.
  void stop_watching();

  /// Sends the message to the other processes, prints it like any error of `nmt` and ends the
  /// program, even if threads still wait. Exit code 1, or that of a signal received.
  [[noreturn]] void end_program(const std::string& message);

 private:
  RankInfo rank_;
  std::unique_ptr<CollectiveBackend> backend_;  // null in a group of one
};

}  // namespace nmt
