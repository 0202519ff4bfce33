#include "serve/rate_limiter.h"

#include <algorithm>
#include <cmath>

namespace nmt {
namespace {

constexpr double kSeconds = 60.0;   // in which a whole limit is regained
constexpr double kRounding = 1e-6;  // seconds

/// The part of the limit still in use: at most the limit, which may have been lowered since; 0
/// without a limit, so that one set later begins with a full bucket.
double left_after(double used, int64_t limit, double seconds) {
  if (limit == 0) return 0.0;
  const auto most = static_cast<double>(limit);
  return std::max(0.0, std::min(used, most) - most * seconds / kSeconds);
}

/// Seconds until `used` is at most the limit.
double wait_for(double used, int64_t limit) {
  if (limit == 0) return 0.0;
  const auto most = static_cast<double>(limit);
  return std::max(0.0, used - most) * kSeconds / most;
}

}  // namespace

RateLimiter::Client& RateLimiter::client(const std::string& name) {
  const auto known = by_name_.find(name);
  if (known != by_name_.end()) {
    clients_.splice(clients_.begin(), clients_, known->second);
    return clients_.front();
  }
  if (clients_.size() >= max_clients_) {
    by_name_.erase(clients_.back().name);
    clients_.pop_back();
  }
  clients_.push_front({name});
  by_name_[name] = clients_.begin();
  return clients_.front();
}

std::chrono::seconds RateLimiter::count(const std::string& name, const RateLimits& limits,
                                        int64_t characters, Clock::time_point now,
                                        int64_t requests) {
  if (limits.requests == 0 && limits.characters == 0) return {};
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& client = this->client(name);
  const double seconds = std::chrono::duration<double>(now - client.time).count();
  client.time = now;
  client.requests = left_after(client.requests, limits.requests, seconds);
  client.characters = left_after(client.characters, limits.characters, seconds);
  const double more_requests = client.requests + static_cast<double>(requests);
  const double more_characters = client.characters + static_cast<double>(characters);
  const double wait = std::max(wait_for(more_requests, limits.requests),
                               wait_for(more_characters, limits.characters));
  if (wait > kRounding) {
    return std::chrono::seconds(static_cast<int64_t>(std::ceil(wait - kRounding)));
  }
  client.requests = more_requests;
  client.characters = more_characters;
  return {};
}

}  // namespace nmt
