#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "serve/model_catalog.h"
#include "translate/languages.h"

namespace nmt {

/// Counters of a server for Prometheus. Thread-safe.
class Metrics {
 public:
  using Duration = std::chrono::steady_clock::duration;

  /// `waited`: from the request's last byte to its response.
  void count_request(const std::string& route, int status, Duration waited);
  void count_batch(const Direction& direction, int64_t sentences, int64_t source_tokens,
                   int64_t target_tokens);
  void count_batch(const Direction& direction, const std::vector<Translation>& translations);
  void set_queue_length(int64_t sentences);
  void set_connections(int64_t open);

  void set_models(const std::vector<ModelCatalog::ModelState>& models, uint64_t memory);

  /// In Prometheus' text format, version 0.0.4.
  std::string text() const;

 private:
  static constexpr std::array<double, 12> kBounds = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                                     0.5,   1,    2.5,   5,    10,  30};
  struct Histogram {
    std::array<int64_t, kBounds.size() + 1> counts = {};  // the last: above all bounds
    double sum = 0.0;                                     // seconds
  };

  struct BatchCounts {
    int64_t batches = 0;
    int64_t sentences = 0;
    int64_t source_tokens = 0;
    int64_t target_tokens = 0;
  };
  void write_batches(std::ostream& out) const;
  void write_models(std::ostream& out) const;

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, int64_t> requests_;  // by route and status
  std::map<std::string, Histogram> latencies_;               // by route
  std::map<std::string, BatchCounts> batches_;               // by the labels of their direction
  std::vector<ModelCatalog::ModelState> models_;
  uint64_t model_memory_ = 0;
  int64_t queue_length_ = 0;
  int64_t connections_ = 0;
};

}  // namespace nmt
