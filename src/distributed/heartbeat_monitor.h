#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace nmt {

/// A small key-value table shared by all processes of a group, such as a c10d store.
class SharedTable {
 public:
  virtual ~SharedTable() = default;
  virtual void set(const std::string& key, const std::string& value) = 0;
  /// nullopt if the key has not been set.
  virtual std::optional<std::string> get(const std::string& key) = 0;
};

struct HeartbeatTiming {
  std::chrono::milliseconds interval{1'000};
  std::chrono::milliseconds timeout{15'000};  // a process without a heartbeat for this long is lost
  std::chrono::milliseconds grace{8'000};     // time to end cleanly after a loss
};

/// The heartbeats of a process group from the view of one process. Every process writes a growing
/// number into the table; rank 0 watches all others, the others watch rank 0. This detects a
/// process that has ended, hangs or cannot be reached, even if a cut cable leaves the connection
/// open. Has neither a thread nor a clock of its own; thread-safe.
class Heartbeats {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Heartbeats(std::unique_ptr<SharedTable> table, int rank, int size, const HeartbeatTiming& timing,
             std::function<Time()> now);

  /// Writes the next heartbeat and checks those of the others. Blocks while the table does. Call it
  /// from one thread only.
  void exchange();

  /// Records a loss if the table has not answered within the timeout. Returns true once the grace
  /// period after a loss is over.
  bool check();

  /// Which process was lost and how; empty while none is.
  std::string loss() const;

  /// The same, after waiting for up to `time` for a loss.
  std::string loss_within(std::chrono::milliseconds time) const;

  /// Tells all others that this process ends, and why; does nothing after a loss.
  void announce_end(const std::string& reason);

  /// Records that the connection to another process broke.
  void record_broken_connection();

  /// Tells all others that it broke. Blocks while the table does.
  void announce_broken_connection();

  /// From now on no loss is recorded, and the grace period has no end.
  void stop();

  /// Waits for `time`; returns false at once when stopped. If the wait took much longer, this
  /// process was suspended, perhaps along with the others, so all timeouts restart.
  bool sleep(std::chrono::milliseconds time);

 private:
  struct LastHeartbeat {
    std::string number;
    std::optional<Time> changed;  // none until the first look
  };

  void look_at(int other);
  Time resumed() const;
  void record_loss(const std::string& text);
  void announce(const std::string& text);

  const std::unique_ptr<SharedTable> table_;
  const int rank_;
  const int size_;
  const HeartbeatTiming timing_;
  const std::function<Time()> now_;
  int64_t number_ = 0;                 // of the next heartbeat
  std::map<int, LastHeartbeat> seen_;  // only used by the exchanging thread

  mutable std::mutex mutex_;  // guards what follows
  mutable std::condition_variable changed_;
  bool stopped_ = false;
  std::string loss_;
  Time lost_at_;
  Time answered_;  // last answer of the table
  Time resumed_;   // end of this process's last suspension
};

/// Exchanges heartbeats in the background. Calls `on_timeout`, from a thread of its own, if the
/// process still runs when the grace period after a loss is over.
class HeartbeatMonitor {
 public:
  HeartbeatMonitor(std::unique_ptr<SharedTable> table, int rank, int size,
                   std::function<void(const std::string& loss)> on_timeout,
                   const HeartbeatTiming& timing = {});
  /// Leaks a thread and the table if that thread hangs in the network.
  ~HeartbeatMonitor();
  HeartbeatMonitor(const HeartbeatMonitor&) = delete;
  HeartbeatMonitor& operator=(const HeartbeatMonitor&) = delete;

  Heartbeats& heartbeats() { return *heartbeats_; }

  /// Records that the connection to another process broke, and tells all others; waits only for a
  /// moment if the table does not answer.
  void announce_broken_connection();

 private:
  std::shared_ptr<Heartbeats> heartbeats_;  // shared with the threads, which may outlive this
  std::thread exchanging_;
  std::thread checking_;  // never hangs in the network
};

}  // namespace nmt
