#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>

#include "serve/api_keys.h"

namespace nmt {

/// Limits what each client sends per minute, with a token bucket: a minute's worth may come at once
/// and is then regained evenly. Memory is bounded: the clients that were idle longest are forgotten
/// and start again with full buckets. Thread-safe.
class RateLimiter {
 public:
  using Clock = std::chrono::steady_clock;

  explicit RateLimiter(size_t max_clients = 1 << 16) : max_clients_(max_clients) {}

  /// Counts requests and characters and returns 0 s if the limits permit them; otherwise returns
  /// how long to wait. `characters` must be at most limits.characters.
  std::chrono::seconds count(const std::string& client, const RateLimits& limits,
                             int64_t characters, Clock::time_point now, int64_t requests = 1);

 private:
  struct Client {
    std::string name;
    Clock::time_point time = {};  // of the last request
    double requests = 0.0;        // not regained at that time
    double characters = 0.0;
  };

  Client& client(const std::string& name);

  const size_t max_clients_;
  std::mutex mutex_;
  std::list<Client> clients_;  // by their last request, latest first
  std::unordered_map<std::string, std::list<Client>::iterator> by_name_;
};

}  // namespace nmt
