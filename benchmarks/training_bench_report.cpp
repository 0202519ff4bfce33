#include <spdlog/fmt/fmt.h>

#include <algorithm>
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

std::string line(const TrainingBenchEntry& entry, double tokens, double ratio) {
  const std::string share =
      entry.product_seconds > 0 ? fmt::format("{:.2f}", entry.product_share()) : "–";
  const std::string peak =
      entry.peak_bytes > 0
          ? fmt::format("  {:8.0f}", static_cast<double>(entry.peak_bytes) / 1048576)
          : "";
  return fmt::format("{:<8}  {:7}  {:15.0f}  {:17.2f}  {:>13}{}\n", entry.path, entry.threads,
                     tokens / entry.seconds, ratio, share, peak);
}

}  // namespace

std::string to_text(const TrainingBenchReport& report) {
  auto result = fmt::format(
      "{:.1f} M parameters; {} source and {} target tokens a round; products {:.1f} GFLOP a round, "
      "by {}\n",
      static_cast<double>(report.parameters) / 1e6, report.source_tokens, report.target_tokens,
      report.products_flop / 1e9, matrix_product_library());
  for (size_t i = 0; i < report.thread_counts.size(); ++i) {
    result += fmt::format(
        "{} thread{}: {:.0f} GFLOP/s of products, {:.0f} in bfloat16, {:.0f} GB/s of memory\n",
        report.thread_counts[i], report.thread_counts[i] == 1 ? "" : "s",
        report.rooflines[i].gflops, report.rooflines[i].bfloat16_gflops,
        report.rooflines[i].gigabytes_per_s);
  }
  result += "\npath      threads  target tokens/s  over plain's best  product share  peak MiB\n";
  const double plain = best_plain_seconds(report);
  for (const auto& entry : report.entries) {
    result += line(entry, static_cast<double>(report.target_tokens), plain / entry.seconds);
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
