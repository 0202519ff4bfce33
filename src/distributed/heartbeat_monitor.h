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

/// A small table that all processes of a group read and write, as c10d's stores are.
class SharedTable {
 public:
  virtual ~SharedTable() = default;
  virtual void set(const std::string& key, const std::string& value) = 0;
  /// Nothing when nobody has set it.
  virtual std::optional<std::string> get(const std::string& key) = 0;
};

struct HeartbeatTiming {
  std::chrono::milliseconds interval{1'000};
  std::chrono::milliseconds timeout{15'000};  // without a heartbeat a process counts as lost
  std::chrono::milliseconds grace{8'000};     // to end in good order after a loss
};

/// The heartbeats of a process group as one of its processes sees them. Every process writes a
/// growing number into the table; rank 0 watches all others, the others watch rank 0. This detects
/// a process that has ended, hangs or cannot be reached, which a connection does not report when a
/// cable is cut. Has neither thread nor clock; may be used by several threads.
class Heartbeats {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Heartbeats(std::unique_ptr<SharedTable> table, int rank, int size, const HeartbeatTiming& timing,
             std::function<Time()> now);

  /// Writes the next heartbeat and looks at those of the others. Blocks while the table does.
  /// Always called by the same thread.
  void exchange();

  /// Records a table that has not answered within the timeout. Returns true when the grace period
  /// after a loss is over.
  bool check();

  /// Which process was lost and how; empty while none is.
  std::string loss() const;

  /// The same, after waiting for up to `time` for a loss.
  std::string loss_within(std::chrono::milliseconds time) const;

  /// Tells all others that this process ends, and why; does nothing after a loss.
  void announce_end(const std::string& reason);

  /// Tells all others, and records, that the connection to another process broke.
  void announce_broken_connection();

  /// From now on no loss is recorded, and the grace period has no end.
  void stop();

  /// Waits for `time`; returns false at once when stopped. Where it took much longer this process
  /// was suspended, maybe with the others, which then get the timeout anew.
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
  std::map<int, LastHeartbeat> seen_;  // of the exchanging thread alone

  mutable std::mutex mutex_;  // guards what follows
  mutable std::condition_variable changed_;
  bool stopped_ = false;
  std::string loss_;
  Time lost_at_;
  Time answered_;  // when the table last did
  Time resumed_;   // when this process last did after a suspension
};

/// Exchanges heartbeats in the background. After a loss the process has some grace to end by
/// itself, then `on_timeout` is called.
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

 private:
  std::shared_ptr<Heartbeats> heartbeats_;  // the threads' too, which may outlive this
  std::thread exchanging_;
  std::thread checking_;  // never hangs in the network
};

}  // namespace nmt
