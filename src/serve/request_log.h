#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "http/http_server.h"

namespace nmt {

/// The access log: one line per request. Lines contain nothing that the client wrote, not even
/// query or method, and its text only if the handler noted it. Refusals (429, 503) beyond kRefusals
/// in a second are only counted, and the next second begins with a line that says how many: a flood
/// of requests must not become a flood of lines. Thread-safe.
class RequestLog {
 public:
  using Clock = HttpOptions::Clock;
  static constexpr int64_t kRefusals = 20;

  explicit RequestLog(std::function<Clock::time_point()> now = [] { return Clock::now(); });

  void write(const HttpRequest& request, const std::string& route, int status,
             Clock::duration waited);

  /// Must be called several times per second.
  void end_second();

 private:
  /// Whether this refusal gets its own line.
  bool admits_refusal();

  const std::function<Clock::time_point()> now_;
  std::mutex mutex_;  // guards what follows
  Clock::time_point second_;
  int64_t refusals_ = 0;  // in this second
};

}  // namespace nmt
