#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "serve/connection.h"
#include "serve/metrics.h"
#include "serve/request_framing.h"

namespace nmt {

struct ConnectionLimits {
  RequestLimits request;
  size_t max_connections = 4096;
  size_t max_waiting = 2048;          // whole requests that wait for a thread
  size_t max_buffered = 256 << 20;    // bytes of requests and answers, all together
  std::chrono::seconds patience{30};  // that a whole request waits for a thread
  std::chrono::seconds reading{10};   // for a whole request, from its first byte on
  std::chrono::seconds idle{30};      // between requests
  std::chrono::seconds writing{20};   // until the client has taken the answer
  std::chrono::seconds draining{60};  // until all are answered, once the server ends
  int threads = 128;                  // that answer; each waits while its sentences are translated
};

/// Serves many clients: one thread reads requests and writes what is left of answers for all of
/// them, without ever waiting for one; others are given whole requests to answer. A slow or broken
/// client therefore costs the others nothing but a little memory.
class Connections {
 public:
  /// Answers the connection's request() with send(). Returns whether it may send another one.
  using Answer = std::function<bool(Connection&)>;
  /// An answer to clients that are turned away before anybody looks at what they want.
  using Refusal = std::function<std::string(int status, const std::string& reason)>;
  /// What a request is counted as, from its first line.
  using RouteName = std::function<std::string(std::string_view request)>;

  /// `listener`: a listening socket.
  Connections(int listener, const ConnectionLimits& limits, Answer answer, Refusal refusal,
              RouteName route, Metrics& metrics);
  ~Connections();
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  /// Until `ending` says so and all requests that have come are answered. Then nobody is listening.
  void serve(const std::function<bool()>& ending);

 private:
  using Clock = Connection::Clock;

  void watch(int socket, unsigned events, bool known);
  void accept_clients();
  void on_event(int socket, unsigned events);
  void read_from(Connection& connection);
  void next_step(Connection& connection);
  void hand_over(Connection& connection);
  void refuse(Connection& connection, int status, const std::string& reason);
  void after_answer(Connection& connection);
  void collect_answered();
  void drop(Connection& connection);
  void drop_late();
  bool is_late(const Connection& connection, Clock::time_point now) const;
  void stop_listening();
  bool is_drained() const;
  void count(const Connection& connection);

  void answer_requests();
  Connection* next_ready();

  const int listener_;
  const ConnectionLimits limits_;
  const Answer answer_;
  const Refusal refusal_;
  const RouteName route_;
  Metrics& metrics_;
  int events_ = -1;  // epoll's descriptor
  int alarm_ = -1;   // wakes the first thread when an answer is ready
  bool listening_ = true;
  Clock::time_point stopped_listening_ = {};
  std::unordered_map<int, std::unique_ptr<Connection>> connections_;  // by socket

  std::mutex mutex_;  // guards what follows
  std::condition_variable ready_changed_;
  std::deque<Connection*> ready_;  // with whole requests
  std::vector<Connection*> answered_;
  bool closing_ = false;

  std::vector<std::thread> threads_;
};

}  // namespace nmt
