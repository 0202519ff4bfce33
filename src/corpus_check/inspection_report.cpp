#include "corpus_check/inspection_report.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "unicode/utf8.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr size_t kColumns = 60;

/// The beginning of a line, as a terminal can show it.
std::string clipped(const std::string& line) {
  std::string text = replace_invalid_utf8(line);
  for (char& character : text) {
    if (static_cast<unsigned char>(character) < 0x20) character = ' ';
  }
  if (display_width(text) <= kColumns) return text;
  while (display_width(text) >= kColumns) {
    do {
      text.pop_back();
    } while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U);
    if (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80U) != 0) text.pop_back();
  }
  return text + "…";
}

std::string number(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  return text;
}

double share(int64_t part, int64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string padded(std::string text, size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string fault_lines(const CorpusInspection& inspection) {
  std::string text;
  for (size_t i = 0; i < kNumFaults; ++i) {
    if (inspection.counts[i] == 0) continue;
    const auto fault = static_cast<Fault>(i);
    text += "  " + padded(fault_name(fault), 11) + padded(std::to_string(inspection.counts[i]), 9) +
            padded(number(share(inspection.counts[i], inspection.lines), 2) + " %", 9) +
            fault_meaning(fault) + "\n";
    for (const auto& example : inspection.examples[i]) {
      const auto place = "    line " + std::to_string(example.line) + "  ";
      text += place + clipped(example.source) + "\n" + std::string(place.size(), ' ') +
              clipped(example.target) + "\n";
    }
  }
  return text;
}

std::string coverage_line(const char* side, const VocabularyCoverage& coverage) {
  const double length = coverage.words == 0 ? 0.0
                                            : static_cast<double>(coverage.tokens) /
                                                  static_cast<double>(coverage.words);
  std::string text = std::string(side) + " vocabulary  unknown " +
                     number(share(coverage.unknown, coverage.tokens), 3) +
                     " % of the tokens  tokens a word " + number(length, 2) +
                     "  pieces never used " + std::to_string(coverage.unused) + "\n";
  if (coverage.unknown_characters.empty()) return text;
  text += "  characters that it lacks, most frequent first:";
  for (const auto& character : coverage.unknown_characters) text += " " + character;
  return text + "\n";
}

std::string duration(double seconds) {
  if (seconds < 90) return number(seconds, 0) + " s";
  return seconds < 5400 ? number(seconds / 60, 0) + " min" : number(seconds / 3600, 1) + " h";
}

OrderedJson coverage_json(const VocabularyCoverage& coverage) {
  return {{"tokens", coverage.tokens},
          {"words", coverage.words},
          {"unknown", coverage.unknown},
          {"unused_pieces", coverage.unused},
          {"unknown_characters", coverage.unknown_characters}};
}

OrderedJson faults_json(const CorpusInspection& inspection) {
  OrderedJson faults = OrderedJson::object();
  for (size_t i = 0; i < kNumFaults; ++i) {
    OrderedJson examples = OrderedJson::array();
    for (const auto& example : inspection.examples[i]) {
      examples.push_back({{"line", example.line},
                          {"source", replace_invalid_utf8(example.source)},
                          {"target", replace_invalid_utf8(example.target)}});
    }
    faults[fault_name(static_cast<Fault>(i))] = {{"pairs", inspection.counts[i]},
                                                 {"examples", examples}};
  }
  return faults;
}

}  // namespace

std::string to_text(const DataReport& report) {
  const auto& inspection = report.inspection;
  std::string text =
      report.corpus.source.string() + " and " + report.corpus.target.string() + ": " +
      std::to_string(inspection.lines) + " pairs, " + std::to_string(inspection.good) + " good (" +
      number(share(inspection.good, inspection.lines), 2) + " %)\n" + "words " +
      std::to_string(inspection.source_words) + " and " + std::to_string(inspection.target_words) +
      "  scripts " + script_name(inspection.source_script) + " and " +
      script_name(inspection.target_script) + "  characters of a target for one of a " + "source " +
      number(inspection.length_ratio, 2) + "\n" + fault_lines(inspection);
  for (const auto& stretch : inspection.misaligned) {
    text += "  lines " + std::to_string(stretch.first) + " to " + std::to_string(stretch.last) +
            ": the source seems to belong to the target " +
            std::to_string(stretch.shift < 0 ? -stretch.shift : stretch.shift) +
            (stretch.shift < 0 ? " above" : " below") + "\n";
  }
  if (report.source_coverage) text += coverage_line("source", *report.source_coverage);
  if (report.target_coverage) text += coverage_line("target", *report.target_coverage);
  return text + "training  about " + duration(report.estimate.epoch_seconds) + " an epoch of the " +
         report.estimate.engine + " engine and " + number(report.estimate.memory_bytes / 1e6, 0) +
         " MB for " + number(static_cast<double>(report.estimate.parameters) / 1e6, 1) +
         " million parameters on this machine\n";
}

OrderedJson to_json(const DataReport& report) {
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
                      {"faults", faults_json(inspection)},
                      {"misaligned", OrderedJson::array()}};
  for (const auto& stretch : inspection.misaligned) {
    json["misaligned"].push_back(
        {{"first", stretch.first}, {"last", stretch.last}, {"shift", stretch.shift}});
  }
  if (report.source_coverage) json["source_vocabulary"] = coverage_json(*report.source_coverage);
  if (report.target_coverage) json["target_vocabulary"] = coverage_json(*report.target_coverage);
  json["training"] = {{"parameters", report.estimate.parameters},
                      {"engine", report.estimate.engine},
                      {"epoch_seconds", report.estimate.epoch_seconds},
                      {"memory_bytes", report.estimate.memory_bytes}};
  return json;
}

}  // namespace nmt
