#include "serve/metrics.h"

#include <algorithm>
#include <sstream>

namespace nmt {
namespace {

void describe(std::ostream& out, const char* name, const char* kind, const char* meaning) {
  out << "# HELP " << name << ' ' << meaning << "\n# TYPE " << name << ' ' << kind << '\n';
}

void write_value(std::ostream& out, const char* name, const char* kind, const char* meaning,
                 int64_t value) {
  describe(out, name, kind, meaning);
  out << name << ' ' << value << '\n';
}

}  // namespace

void Metrics::count_request(const std::string& route, int status, Duration waited) {
  const double seconds = std::chrono::duration<double>(waited).count();
  const auto bucket = std::lower_bound(kBounds.begin(), kBounds.end(), seconds) - kBounds.begin();
  const std::lock_guard<std::mutex> lock(mutex_);
  ++requests_[{route, status}];
  auto& latency = latencies_[route];
  ++latency.counts[static_cast<size_t>(bucket)];
  latency.sum += seconds;
}

void Metrics::count_batch(int64_t sentences, int64_t source_tokens, int64_t target_tokens) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++batches_;
  sentences_ += sentences;
  source_tokens_ += source_tokens;
  target_tokens_ += target_tokens;
}

void Metrics::set_queue_length(int64_t sentences) {
  const std::lock_guard<std::mutex> lock(mutex_);
  queue_length_ = sentences;
}

void Metrics::set_connections(int64_t open) {
  const std::lock_guard<std::mutex> lock(mutex_);
  connections_ = open;
}

std::string Metrics::text() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::ostringstream out;
  describe(out, "nmt_requests_total", "counter", "Answered requests by route and status.");
  for (const auto& [key, count] : requests_) {
    out << "nmt_requests_total{route=\"" << key.first << "\",code=\"" << key.second << "\"} "
        << count << '\n';
  }
  describe(out, "nmt_request_seconds", "histogram", "From a request's arrival to its answer.");
  for (const auto& [route, latency] : latencies_) {
    int64_t total = 0;
    for (size_t i = 0; i < latency.counts.size(); ++i) {
      total += latency.counts[i];
      out << "nmt_request_seconds_bucket{route=\"" << route << "\",le=\"";
      if (i < kBounds.size()) {
        out << kBounds[i];
      } else {
        out << "+Inf";
      }
      out << "\"} " << total << '\n';
    }
    out << "nmt_request_seconds_sum{route=\"" << route << "\"} " << latency.sum << '\n'
        << "nmt_request_seconds_count{route=\"" << route << "\"} " << total << '\n';
  }
  write_value(out, "nmt_batches_total", "counter", "Batches translated.", batches_);
  write_value(out, "nmt_sentences_total", "counter", "Sentences translated.", sentences_);
  write_value(out, "nmt_source_tokens_total", "counter", "Tokens read.", source_tokens_);
  write_value(out, "nmt_target_tokens_total", "counter", "Tokens written.", target_tokens_);
  write_value(out, "nmt_queue_length", "gauge", "Sentences that wait.", queue_length_);
  write_value(out, "nmt_connections", "gauge", "Open connections.", connections_);
  return out.str();
}

}  // namespace nmt
