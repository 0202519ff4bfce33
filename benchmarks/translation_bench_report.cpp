#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "benchmarks/translation_bench.h"

namespace nmt {
namespace {

/// The best of the plain engine, or of Python, at the same work.
double best_seconds(const TranslationBenchReport& report, const TranslationBenchEntry& like,
                    const std::string& path) {
  double best = 0.0;
  for (const auto& entry : report.entries) {
    const bool same_work = entry.beam_size == like.beam_size && entry.batch_size == like.batch_size;
    if (entry.path != path || !same_work) continue;
    best = best == 0.0 ? entry.seconds : std::min(best, entry.seconds);
  }
  return best;
}

std::string number(int digits, double value) {
  return value <= 0 ? "–" : fmt::format("{:.{}f}", value, digits);
}

std::string row(const TranslationBenchReport& report, const TranslationBenchEntry& entry) {
  const auto count = static_cast<double>(entry.sentences);
  return fmt::format("{:<8}{:>7}{:>6}{:>7}{:>13}{:>10}{:>12}{:>13}{:>15}{:>11}{:>9}\n", entry.path,
                     entry.threads, entry.beam_size, entry.batch_size,
                     number(1, count / entry.seconds),
                     number(0, static_cast<double>(entry.tokens) / entry.seconds),
                     number(2, best_seconds(report, entry, "plain") / entry.seconds),
                     number(2, best_seconds(report, entry, "python") / entry.seconds),
                     number(2, entry.product_share()), number(2, entry.median_ms),
                     number(2, entry.percentile_99_ms));
}

}  // namespace

std::string to_text(const TranslationBenchReport& report) {
  std::string text =
      "path    threads  beam  batch  sentences/s  tokens/s  over plain  over python  product share"
      "  median ms   99th %\n";
  for (const auto& entry : report.entries) text += row(report, entry);
  return text;
}

std::string to_json(const TranslationBenchReport& report) {
  nlohmann::ordered_json json;
  json["parameters"] = report.parameters;
  for (const auto& entry : report.entries) {
    nlohmann::ordered_json object = {
        {"path", entry.path},           {"threads", entry.threads},
        {"beam_size", entry.beam_size}, {"batch_size", entry.batch_size},
        {"sentences", entry.sentences}, {"seconds", entry.seconds}};
    if (entry.tokens > 0) object["tokens"] = entry.tokens;
    if (entry.product_seconds > 0) object["product_share"] = entry.product_share();
    if (entry.median_ms > 0) object["median_ms"] = entry.median_ms;
    if (entry.percentile_99_ms > 0) object["percentile_99_ms"] = entry.percentile_99_ms;
    json["entries"].push_back(std::move(object));
  }
  return json.dump(2) + "\n";
}

}  // namespace nmt
