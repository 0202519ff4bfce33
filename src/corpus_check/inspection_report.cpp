#include "corpus_check/inspection_report.h"

#include <spdlog/fmt/fmt.h>

#include <cstdlib>

#include "files/json.h"
#include "unicode/characters.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr size_t kColumns = 60;

std::string excerpt(const std::string& line) { return shortened(printable(line), kColumns); }

double share(int64_t part, int64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string issue_lines(const CorpusInspection& inspection) {
  std::string text;
  for (size_t i = 0; i < kNumIssues; ++i) {
    if (inspection.counts[i] == 0) continue;
    const auto issue = static_cast<Issue>(i);
    text += fmt::format("  {:<11}{:<9}{:<9}{}\n", issue_name(issue), inspection.counts[i],
                        fmt::format("{:.2f} %", share(inspection.counts[i], inspection.lines)),
                        issue_meaning(issue));
    if (inspection.repairable[i] > 0) {
      text += fmt::format("    nmt data clean {} {} of them\n",
                          issue == Issue::kSwapped ? "exchanges the sides of" : "realigns",
                          inspection.repairable[i]);
    }
    for (const auto& example : inspection.examples[i]) {
      const auto place = "    line " + std::to_string(example.line) + "  ";
      text += place + excerpt(example.texts.source) + "\n" + std::string(place.size(), ' ') +
              excerpt(example.texts.target) + "\n";
    }
  }
  return text;
}

std::string coverage_line(const char* side, const VocabularyCoverage& coverage) {
  const double length = coverage.words == 0 ? 0.0
                                            : static_cast<double>(coverage.tokens) /
                                                  static_cast<double>(coverage.words);
  auto text = fmt::format(
      "{} vocabulary  unknown {:.3f} % of tokens  tokens per word {:.2f}  unused pieces {}\n", side,
      share(coverage.unknown, coverage.tokens), length, coverage.unused);
  if (coverage.unknown_characters.empty()) return text;
  text += "  missing characters, most frequent first:";
  for (const auto& character : coverage.unknown_characters) text += " " + character;
  return text + "\n";
}

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  return seconds < 5400 ? fmt::format("{:.0f} min", seconds / 60)
                        : fmt::format("{:.1f} h", seconds / 3600);
}

OrderedJson coverage_json(const VocabularyCoverage& coverage) {
  return {{"tokens", coverage.tokens},
          {"words", coverage.words},
          {"unknown", coverage.unknown},
          {"unused_pieces", coverage.unused},
          {"unknown_characters", coverage.unknown_characters}};
}

OrderedJson issues_json(const CorpusInspection& inspection) {
  OrderedJson issues = OrderedJson::object();
  for (size_t i = 0; i < kNumIssues; ++i) {
    OrderedJson examples = OrderedJson::array();
    for (const auto& example : inspection.examples[i]) {
      examples.push_back({{"line", example.line},
                          {"source", replace_invalid_utf8(example.texts.source)},
                          {"target", replace_invalid_utf8(example.texts.target)}});
    }
    issues[issue_name(static_cast<Issue>(i))] = {{"pairs", inspection.counts[i]},
                                                 {"repairable", inspection.repairable[i]},
                                                 {"examples", examples}};
  }
  return issues;
}

}  // namespace

const char* uncertain_sides_note() {
  return "about half of the pairs are swapped; which half is a guess: use --source-tokenizer and "
         "--target-tokenizer";
}

std::string to_text(const DataReport& report) {
  const auto& inspection = report.inspection;
  auto text = fmt::format(
      "{} and {}: {} pairs, {} good ({:.2f} %)\n"
      "words {} and {}  scripts {} and {}  target characters per source character {:.2f}\n",
      report.corpus.source.string(), report.corpus.target.string(), inspection.lines,
      inspection.good, share(inspection.good, inspection.lines), inspection.source_words,
      inspection.target_words, script_name(inspection.source_script),
      script_name(inspection.target_script), inspection.length_ratio);
  text += issue_lines(inspection);
  for (const auto& lines : inspection.misaligned) {
    text += fmt::format("  lines {} to {}: the source seems to belong to the target {} {}\n",
                        lines.first, lines.last, std::abs(lines.shift),
                        lines.shift < 0 ? "above" : "below");
  }
  if (inspection.sides_uncertain) text += std::string("  ") + uncertain_sides_note() + "\n";
  if (report.source_coverage) text += coverage_line("source", *report.source_coverage);
  if (report.target_coverage) text += coverage_line("target", *report.target_coverage);
  const auto& estimate = report.estimate;
  return text + fmt::format(
                    "training  about {} per epoch ({} engine) and {:.0f} MB for {:.1f} million "
                    "parameters on this machine\n",
                    duration(estimate.epoch_seconds), estimate.engine, estimate.memory_bytes / 1e6,
                    static_cast<double>(estimate.parameters) / 1e6);
}

std::string to_json(const DataReport& report) {
  const auto& inspection = report.inspection;
  OrderedJson json = {{"source", report.corpus.source.string()},
                      {"target", report.corpus.target.string()},
                      {"pairs", inspection.lines},
                      {"good", inspection.good},
                      {"source_words", inspection.source_words},
                      {"target_words", inspection.target_words},
                      {"source_script", script_name(inspection.source_script)},
                      {"target_script", script_name(inspection.target_script)},
                      {"length_ratio", inspection.length_ratio},
                      {"sides_uncertain", inspection.sides_uncertain},
                      {"faults", issues_json(inspection)},
                      {"misaligned", OrderedJson::array()}};
  for (const auto& lines : inspection.misaligned) {
    json["misaligned"].push_back(
        {{"first", lines.first}, {"last", lines.last}, {"shift", lines.shift}});
  }
  if (report.source_coverage) json["source_vocabulary"] = coverage_json(*report.source_coverage);
  if (report.target_coverage) json["target_vocabulary"] = coverage_json(*report.target_coverage);
  json["training"] = {{"parameters", report.estimate.parameters},
                      {"engine", report.estimate.engine},
                      {"epoch_seconds", report.estimate.epoch_seconds},
                      {"memory_bytes", report.estimate.memory_bytes}};
  // Paths need not be UTF-8.
  return dump_json(json, 2) + "\n";
}

}  // namespace nmt
