#include "serve/metrics.h"

#include <algorithm>
#include <sstream>

namespace nmt {
namespace {

void describe(std::ostream& out, const char* name, const char* kind, const char* meaning) {
  out << "# HELP " << name << ' ' << meaning << "\n# TYPE " << name << ' ' << kind << '\n';
}

void write_gauge(std::ostream& out, const char* name, const char* meaning, int64_t value) {
  describe(out, name, "gauge", meaning);
  out << name << ' ' << value << '\n';
}

std::string labels_of(const Direction& direction) {
  return "{source=\"" + direction.source + "\",target=\"" + direction.target + "\"}";
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

void Metrics::count_batch(const Direction& direction, int64_t sentences, int64_t source_tokens,
                          int64_t target_tokens) {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& counts = batches_[labels_of(direction)];
  ++counts.batches;
  counts.sentences += sentences;
  counts.source_tokens += source_tokens;
  counts.target_tokens += target_tokens;
}

void Metrics::count_batch(const Direction& direction,
                          const std::vector<Translation>& translations) {
  int64_t source_tokens = 0;
  int64_t target_tokens = 0;
  for (const auto& translation : translations) {
    source_tokens += static_cast<int64_t>(translation.source_tokens.size());
    target_tokens += static_cast<int64_t>(translation.candidates.front().tokens.size());
  }
  count_batch(direction, static_cast<int64_t>(translations.size()), source_tokens, target_tokens);
}

void Metrics::set_queue_length(int64_t sentences) {
  const std::lock_guard<std::mutex> lock(mutex_);
  queue_length_ = sentences;
}

void Metrics::set_connections(int64_t open) {
  const std::lock_guard<std::mutex> lock(mutex_);
  connections_ = open;
}

void Metrics::set_models(const std::vector<ModelCatalog::ModelState>& models, uint64_t memory) {
  const std::lock_guard<std::mutex> lock(mutex_);
  models_ = models;
  model_memory_ = memory;
}

void Metrics::write_batches(std::ostream& out) const {
  const auto write = [&](const char* name, const char* meaning, int64_t BatchCounts::*value) {
    describe(out, name, "counter", meaning);
    for (const auto& [labels, counts] : batches_) {
      out << name << labels << ' ' << counts.*value << '\n';
    }
  };
  write("nmt_batches_total", "Batches translated.", &BatchCounts::batches);
  write("nmt_sentences_total", "Sentences translated.", &BatchCounts::sentences);
  write("nmt_source_tokens_total", "Tokens read.", &BatchCounts::source_tokens);
  write("nmt_target_tokens_total", "Tokens written.", &BatchCounts::target_tokens);
}

void Metrics::write_models(std::ostream& out) const {
  describe(out, "nmt_model_loaded", "gauge", "1 for a model in memory.");
  for (const auto& model : models_) {
    out << "nmt_model_loaded" << labels_of(model.direction) << ' ' << model.loaded << '\n';
  }
  describe(out, "nmt_model_loads_total", "counter", "How often a model was loaded.");
  for (const auto& model : models_) {
    out << "nmt_model_loads_total" << labels_of(model.direction) << ' ' << model.times_loaded
        << '\n';
  }
  write_gauge(out, "nmt_models_bytes", "Estimated memory of the models.",
              static_cast<int64_t>(model_memory_));
}

std::string Metrics::text() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::ostringstream out;
  out.precision(15);  // sums keep growing by small amounts
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
  write_batches(out);
  write_models(out);
  write_gauge(out, "nmt_queue_length", "Queued sentences.", queue_length_);
  write_gauge(out, "nmt_connections", "Open connections.", connections_);
  return out.str();
}

}  // namespace nmt
