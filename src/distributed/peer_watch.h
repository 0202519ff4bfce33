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
#include <vector>

namespace nmt {

/// A small table that all processes of a group read and write, as c10d's stores are.
class SharedTable {
 public:
  virtual ~SharedTable() = default;
  virtual void set(const std::string& key, const std::string& value) = 0;
  /// Nothing when nobody has set it.
  virtual std::optional<std::string> get(const std::string& key) = 0;
};

/// Notices that a process of a group has ended, hangs or cannot be reached, which a connection does
/// not tell when a cable is cut: every process writes a number that grows into the table once a
/// second; the leader looks for all others' to grow, the others for the leader's.
///
/// Who notices has some grace to end its work in good order. Then `too_late` is called.
class PeerWatch {
 public:
  struct Patience {
    std::chrono::milliseconds beat{1'000};
    std::chrono::milliseconds silence{15'000};  // after which a process counts as lost
    std::chrono::milliseconds grace{8'000};
  };

  PeerWatch(std::unique_ptr<SharedTable> table, int rank, int size,
            std::function<void(const std::string& loss)> too_late, const Patience& patience);
  /// Leaves its threads and the table behind where one of them hangs in the network.
  ~PeerWatch();
  PeerWatch(const PeerWatch&) = delete;
  PeerWatch& operator=(const PeerWatch&) = delete;

  /// Who was lost and how, in words; empty while nobody is.
  std::string loss() const;

  /// The same, waiting for up to so long until it is known.
  std::string loss_within(std::chrono::milliseconds time) const;

  /// Tells all others that this process ends, and why; nothing once somebody is lost.
  void announce_end(const std::string& reason);

  /// Tells all others, and itself, that this process has lost the connection to another.
  void announce_broken_connection();

  /// From now on nobody is missed.
  void stop();

 private:
  struct State;
  void announce(const std::string& text);
  static void beat(const std::shared_ptr<State>& state);
  static void guard(const std::shared_ptr<State>& state);

  std::shared_ptr<State> state_;  // the threads' too, which may outlive this
  std::thread beating_;
  std::thread guarding_;
};

}  // namespace nmt
