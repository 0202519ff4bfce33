#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "benchmarks/training_bench.h"

namespace nmt {
namespace {

/// Of the path, over all numbers of threads; 0 if it was not timed.
double best_seconds(const TrainingBenchReport& report, const std::string& path) {
  double best = 0.0;
  for (const auto& entry : report.entries) {
    if (entry.path == path) best = best == 0.0 ? entry.seconds : std::min(best, entry.seconds);
  }
  return best;
}

std::string ratio(double seconds, double own_seconds) {
  return seconds > 0 ? fmt::format("{:.2f}", seconds / own_seconds) : "–";
}

std::string line(const TrainingBenchReport& report, const TrainingBenchEntry& entry) {
  const std::string share =
      entry.product_seconds > 0 ? fmt::format("{:.2f}", entry.product_share()) : "–";
  const std::string peak =
      entry.peak_bytes > 0
          ? fmt::format("  {:8.0f}", static_cast<double>(entry.peak_bytes) / 1048576)
          : "";
  return fmt::format("{:<8}  {:7}  {:15.0f}  {:14.0f}  {:>17}  {:>18}  {:>13}{}\n", entry.path,
                     entry.threads, static_cast<double>(report.target_tokens) / entry.seconds,
                     static_cast<double>(report.all_tokens()) / entry.seconds,
                     ratio(best_seconds(report, "plain"), entry.seconds),
                     ratio(best_seconds(report, "python"), entry.seconds), share, peak);
}

}  // namespace

std::string to_text(const TrainingBenchReport& report) {
  auto result = fmt::format("{:.1f} M parameters; {} source and {} target tokens a round; ",
                            static_cast<double>(report.parameters) / 1e6, report.source_tokens,
                            report.target_tokens);
  result += report.rooflines.empty()
                ? fmt::format("{} in {}\n", report.device, report.precision)
                : fmt::format("products {:.1f} GFLOP a round, by {}\n", report.products_flop / 1e9,
                              matrix_product_library());
  for (size_t i = 0; i < report.rooflines.size(); ++i) {
    result += fmt::format(
        "{} thread{}: {:.0f} GFLOP/s of products, {:.0f} in bfloat16, {:.0f} GB/s of memory\n",
        report.thread_counts[i], report.thread_counts[i] == 1 ? "" : "s",
        report.rooflines[i].gflops, report.rooflines[i].bfloat16_gflops,
        report.rooflines[i].gigabytes_per_s);
  }
  result +=
      "\npath      threads  target tokens/s  all tokens/s*  over plain's best  over python's best"
      "  product share  peak MiB\n";
  for (const auto& entry : report.entries) result += line(report, entry);
  return result + "* source and target\n";
}

std::string to_json(const TrainingBenchReport& report) {
  nlohmann::ordered_json json;
  json["device"] = report.device;
  json["parameters"] = report.parameters;
  json["source_tokens"] = report.source_tokens;
  json["target_tokens"] = report.target_tokens;
  if (!report.rooflines.empty()) {
    json["product_library"] = matrix_product_library();
    json["products_gflop"] = report.products_flop / 1e9;
  } else {
    json["precision"] = report.precision;
  }
  for (size_t i = 0; i < report.rooflines.size(); ++i) {
    json["roofline"].push_back({{"threads", report.thread_counts[i]},
                                {"gflops", report.rooflines[i].gflops},
                                {"bfloat16_gflops", report.rooflines[i].bfloat16_gflops},
                                {"gigabytes_per_s", report.rooflines[i].gigabytes_per_s}});
  }
  const double python = best_seconds(report, "python");
  for (const auto& entry : report.entries) {
    const double target_tokens = static_cast<double>(report.target_tokens);
    const double all_tokens = static_cast<double>(report.all_tokens());
    nlohmann::ordered_json row = {
        {"path", entry.path},
        {"threads", entry.threads},
        {"seconds", entry.seconds},
        {"target_tokens_per_s", target_tokens / entry.seconds},
        {"all_tokens_per_s", all_tokens / entry.seconds},
        {"over_plain_best", best_seconds(report, "plain") / entry.seconds}};
    if (python > 0) row["over_python_best"] = python / entry.seconds;
    if (entry.product_seconds > 0) row["product_share"] = entry.product_share();
    if (entry.peak_bytes > 0) row["peak_bytes"] = entry.peak_bytes;
    json["paths"].push_back(std::move(row));
  }
  return json.dump(2) + "\n";
}

}  // namespace nmt
