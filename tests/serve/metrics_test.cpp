#include "serve/metrics.h"

#include "support/catch.h"

namespace nmt {

TEST_CASE("Metrics count requests by route and status, and their times in rising buckets",
          "[serve]") {
  Metrics metrics;
  metrics.count_request("/translate", 200, std::chrono::milliseconds(7));
  metrics.count_request("/translate", 200, std::chrono::milliseconds(700));
  metrics.count_request("/translate", 503, std::chrono::minutes(2));
  metrics.count_batch({"ko", "en"}, 3, 20, 30);
  metrics.count_batch({"en", "de"}, 1, 4, 5);
  metrics.set_models({{{"ko", "en"}, true, 2}, {{"en", "de"}, false, 0}}, 12345);
  metrics.set_queue_length(4);
  const auto text = metrics.text();
  for (const std::string line :
       {"nmt_requests_total{route=\"/translate\",code=\"200\"} 2\n",
        "nmt_requests_total{route=\"/translate\",code=\"503\"} 1\n",
        "nmt_request_seconds_bucket{route=\"/translate\",le=\"0.005\"} 0\n",
        "nmt_request_seconds_bucket{route=\"/translate\",le=\"0.01\"} 1\n",
        "nmt_request_seconds_bucket{route=\"/translate\",le=\"1\"} 2\n",
        "nmt_request_seconds_bucket{route=\"/translate\",le=\"+Inf\"} 3\n",
        "nmt_request_seconds_count{route=\"/translate\"} 3\n",
        "nmt_sentences_total{source=\"ko\",target=\"en\"} 3\n",
        "nmt_target_tokens_total{source=\"ko\",target=\"en\"} 30\n",
        "nmt_target_tokens_total{source=\"en\",target=\"de\"} 5\n",
        "nmt_model_loaded{source=\"ko\",target=\"en\"} 1\n",
        "nmt_model_loads_total{source=\"ko\",target=\"en\"} 2\n",
        "nmt_model_loaded{source=\"en\",target=\"de\"} 0\n", "nmt_models_bytes 12345\n",
        "nmt_queue_length 4\n", "# TYPE nmt_request_seconds histogram\n"}) {
    INFO(line);
    REQUIRE(text.find(line) != std::string::npos);
  }
}

TEST_CASE("Sums of seconds keep growing when they are large", "[serve]") {
  Metrics metrics;
  metrics.count_request("/translate", 200, std::chrono::seconds(123456));
  metrics.count_request("/translate", 200, std::chrono::milliseconds(250));
  REQUIRE(metrics.text().find("nmt_request_seconds_sum{route=\"/translate\"} 123456.25\n") !=
          std::string::npos);
}

}  // namespace nmt
