#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "serve/request_framing.h"

namespace nmt {

/// One client's connection. Belongs to the thread of Connections, but while its request is being
/// answered to the thread that does so. No call waits for the network.
class Connection {
 public:
  using Clock = std::chrono::steady_clock;
  enum class State {
    kReading,    // a request, or nothing yet
    kAnswering,  // another thread has it
    kWriting,    // what is left of the answer
    kLeaving     // answered for the last time: what still comes is not looked at
  };

  explicit Connection(int socket) : socket_(socket) {}
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int socket() const { return socket_; }
  size_t buffered() const { return input_.size() + output_.size(); }
  bool is_idle() const { return state == State::kReading && input_.empty(); }
  bool is_broken() const { return broken_; }

  /// Takes what has come. False when the client has left.
  bool receive();

  /// How far the request is that the input begins with.
  RequestFraming::Progress progress(const RequestLimits& limits);
  const RequestFraming& framing() const { return framing_; }
  /// Answers "Expect: 100-continue", once.
  void encourage();

  /// The whole request that the input begins with.
  std::string_view request() const { return std::string_view(input_).substr(0, framing_.length()); }
  void forget_request();

  /// Sends what can be sent and keeps the rest. False when the client has left.
  bool send(std::string_view bytes);
  bool flush() { return send({}); }
  bool is_flushed() const { return output_.empty(); }
  int status() const { return status_; }  // of the answer, as its first line says; 0: none yet

  /// No more answers; what comes is thrown away until the client leaves.
  void leave();
  void discard_input() { input_.clear(); }

  State state = State::kReading;
  Clock::time_point began = Clock::now();  // when the state began; of kReading, its first byte
  Clock::time_point arrived = {};          // when the request was whole
  bool closes = false;                     // once the answer is sent

 private:
  const int socket_;
  std::string input_;
  std::string output_;
  RequestFraming framing_;
  int status_ = 0;
  bool encouraged_ = false;
  bool broken_ = false;
};

}  // namespace nmt
