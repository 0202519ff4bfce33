#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "benchmarks/training_bench.h"

namespace nmt {
namespace {

double best_plain_seconds(const TrainingBenchReport& report) {
  double best = 1e30;
  for (const auto& entry : report.entries) {
    if (entry.path == "plain") best = std::min(best, entry.seconds);
  }
  return best;
}

std::string line(const char* format, const TrainingBenchEntry& entry, double tokens, double ratio) {
  char text[160];
  std::snprintf(text, sizeof(text), format, entry.path.c_str(), entry.threads,
                tokens / entry.seconds, ratio);
  std::string result = text;
  if (entry.product_seconds > 0) {
    std::snprintf(text, sizeof(text), "  %13.2f", entry.product_share());
    result += text;
  } else {
    result += "              –";
  }
  if (entry.peak_bytes > 0) {
    std::snprintf(text, sizeof(text), "  %8.0f", static_cast<double>(entry.peak_bytes) / 1048576);
    result += text;
  }
  return result + "\n";
}

}  // namespace

std::string to_text(const TrainingBenchReport& report) {
  char text[200];
  std::snprintf(
      text, sizeof(text),
      "%.1f M parameters; %lld source and %lld target tokens a round; products %.1f GFLOP "
      "a round, by %s\n",
      static_cast<double>(report.parameters) / 1e6, static_cast<long long>(report.source_tokens),
      static_cast<long long>(report.target_tokens), report.products_flop / 1e9,
      matrix_product_library().c_str());
  std::string result = text;
  for (size_t i = 0; i < report.thread_counts.size(); ++i) {
    std::snprintf(text, sizeof(text),
                  "%d thread%s: %.0f GFLOP/s of products, %.0f in bfloat16, %.0f GB/s of memory\n",
                  report.thread_counts[i], report.thread_counts[i] == 1 ? "" : "s",
                  report.rooflines[i].gflops, report.rooflines[i].bfloat16_gflops,
                  report.rooflines[i].gigabytes_per_s);
    result += text;
  }
  result += "\npath      threads  target tokens/s  over plain's best  product share  peak MiB\n";
  const double plain = best_plain_seconds(report);
  for (const auto& entry : report.entries) {
    result += line("%-8s  %7d  %15.0f  %17.2f", entry, static_cast<double>(report.target_tokens),
                   plain / entry.seconds);
  }
  return result;
}

std::string to_json(const TrainingBenchReport& report) {
  nlohmann::ordered_json json;
  json["parameters"] = report.parameters;
  json["source_tokens"] = report.source_tokens;
  json["target_tokens"] = report.target_tokens;
  json["product_library"] = matrix_product_library();
  json["products_gflop"] = report.products_flop / 1e9;
  for (size_t i = 0; i < report.thread_counts.size(); ++i) {
    json["roofline"].push_back({{"threads", report.thread_counts[i]},
                                {"gflops", report.rooflines[i].gflops},
                                {"bfloat16_gflops", report.rooflines[i].bfloat16_gflops},
                                {"gigabytes_per_s", report.rooflines[i].gigabytes_per_s}});
  }
  const double plain = best_plain_seconds(report);
  for (const auto& entry : report.entries) {
    const double tokens = static_cast<double>(report.target_tokens) / entry.seconds;
    nlohmann::ordered_json row = {{"path", entry.path},
                                  {"threads", entry.threads},
                                  {"seconds", entry.seconds},
                                  {"target_tokens_per_s", tokens},
                                  {"over_plain_best", plain / entry.seconds}};
    if (entry.product_seconds > 0) row["product_share"] = entry.product_share();
    if (entry.peak_bytes > 0) row["peak_bytes"] = entry.peak_bytes;
    json["paths"].push_back(std::move(row));
  }
  return json.dump(2) + "\n";
}

}  // namespace nmt
