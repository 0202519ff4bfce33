#include "serve/request_log.h"

#include <algorithm>
#include <utility>

#include "errors/log.h"

namespace nmt {

RequestLog::RequestLog(std::function<Clock::time_point()> now)
    : now_(std::move(now)), second_(now_()) {}

void RequestLog::write(const HttpRequest& request, const std::string& route, int status,
                       Clock::duration waited) {
  if ((status == 429 || status == 503) && !admits_refusal()) return;
  const auto& methods = {"GET", "HEAD", "OPTIONS", "POST"};
  const bool known = std::find(methods.begin(), methods.end(), request.method) != methods.end();
  log_info("{} {}  status {}  seconds {:.3f}  request {}{}", known ? request.method : "other",
           route, status, std::chrono::duration<double>(waited).count(), request.id, request.notes);
}

bool RequestLog::admits_refusal() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return ++refusals_ <= kRefusals;
}

void RequestLog::end_second() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto now = now_();
  if (now - second_ < std::chrono::seconds(1)) return;
  if (refusals_ > kRefusals) {
    log_warning("overloaded: {} more requests refused within {:.1f} s", refusals_ - kRefusals,
                std::chrono::duration<double>(now - second_).count());
  }
  second_ = now;
  refusals_ = 0;
}

}  // namespace nmt
