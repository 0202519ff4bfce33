#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "benchmarks/translation_bench.h"

namespace nmt {
namespace {

/// The best of the plain path, or of Python, at the same work.
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

std::string number(const char* format, double value) {
  if (value <= 0) return "–";
  char text[40];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

/// Right-aligned; the dash is three bytes and one column wide.
std::string cell(const std::string& text, size_t width) {
  const size_t columns = text == "–" ? 1 : text.size();
  return std::string(columns < width ? width - columns : 0, ' ') + text;
}

std::string row(const TranslationBenchReport& report, const TranslationBenchEntry& entry) {
  const auto count = static_cast<double>(entry.sentences);
  std::string text = entry.path + std::string(8 - std::min<size_t>(8, entry.path.size()), ' ');
  text += cell(std::to_string(entry.threads), 7) + cell(std::to_string(entry.beam_size), 6) +
          cell(std::to_string(entry.batch_size), 7);
  text += cell(number("%.1f", count / entry.seconds), 13);
  text += cell(number("%.0f", static_cast<double>(entry.tokens) / entry.seconds), 10);
  text += cell(number("%.2f", best_seconds(report, entry, "plain") / entry.seconds), 12);
  text += cell(number("%.2f", best_seconds(report, entry, "python") / entry.seconds), 13);
  text += cell(number("%.2f", entry.product_share()), 15);
  text +=
      cell(number("%.2f", entry.median_ms), 11) + cell(number("%.2f", entry.percentile_99_ms), 9);
  return text + "\n";
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
