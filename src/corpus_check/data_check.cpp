#include "corpus_check/data_check.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "errors/counted.h"
#include "errors/error.h"
#include "files/file.h"
#include "files/json.h"
#include "files/output_file.h"
#include "text/composed_form.h"
#include "text/word_vocabulary.h"
#include "unicode/characters.h"
#include "unicode/substrings.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr size_t kColumns = 60;

/// A tab would be U+FFFD, as if the line had a wrong encoding.
std::string excerpt(const std::string& line) {
  auto shown = line;
  replace_all(shown, "\t", "⇥");
  return shortened(printable(shown), kColumns);
}

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

/// Tabs and line ends would break the list.
std::string on_one_line(const std::string& text) {
  auto line = replace_invalid_utf8(text);
  std::replace(line.begin(), line.end(), '\t', ' ');
  std::replace(line.begin(), line.end(), '\r', ' ');
  return line;
}

/// Lines that warn of a corpus that is split into subwords and of targets not in composed form.
std::vector<std::string> warnings_of(const CorpusInspection& inspection) {
  std::vector<std::string> warnings;
  const auto check = [&](int64_t part, double usual, const char* of, const char* problem) {
    const double percent = share(part, inspection.lines);
    if (percent <= 100 * usual) return;
    warnings.push_back(fmt::format("{:.0f} % of the {} are {}\n", percent, of, problem));
  };
  check(inspection.split, kSplitShare, "pairs", kSplitIntoSubwords);
  check(inspection.not_composed, kNotComposedShare, "targets", kNotComposed);
  return warnings;
}

}  // namespace

std::string to_text(const CorpusInspection& inspection) {
  auto text = fmt::format("{}: {}, {} good ({:.2f} %)\n",
                          corpus_name(inspection.corpus.source, inspection.corpus.target),
                          counted(inspection.lines, "pair"), inspection.good,
                          share(inspection.good, inspection.lines));
  const auto not_utf8 = inspection.counts[static_cast<size_t>(Issue::kNotUtf8)];
  if (not_utf8 < inspection.lines) {  // else the words are unknown
    text += fmt::format(
        "words {} and {}  scripts {} and {}  target characters per source character {:.2f}\n",
        std::llround(inspection.source_words), std::llround(inspection.target_words),
        script_name(inspection.source_script), script_name(inspection.target_script),
        inspection.length_ratio);
  }
  text += issue_lines(inspection);
  for (const auto& lines : inspection.misaligned) {
    text += fmt::format("  lines {} to {}: the source seems to belong to the target {} {}\n",
                        lines.first, lines.last, std::abs(lines.shift),
                        lines.shift < 0 ? "above" : "below");
  }
  if (!inspection.names_warning.empty()) text += "  " + inspection.names_warning + "\n";
  for (const auto& warning : warnings_of(inspection)) text += "  " + warning;
  return text;
}

std::string to_json(const CorpusInspection& inspection) {
  OrderedJson json = {{"source", inspection.corpus.source.string()},
                      {"target", inspection.corpus.target.string()},
                      {"pairs", inspection.lines},
                      {"good", inspection.good},
                      {"source_words", std::llround(inspection.source_words)},
                      {"target_words", std::llround(inspection.target_words)},
                      {"source_script", script_name(inspection.source_script)},
                      {"target_script", script_name(inspection.target_script)},
                      {"length_ratio", inspection.length_ratio},
                      {"sides_exchanged", !inspection.names_warning.empty()},
                      {"split_into_subwords", inspection.split},
                      {"targets_not_composed", inspection.not_composed},
                      {"faults", issues_json(inspection)},
                      {"misaligned", OrderedJson::array()}};
  for (const auto& lines : inspection.misaligned) {
    json["misaligned"].push_back(
        {{"first", lines.first}, {"last", lines.last}, {"shift", lines.shift}});
  }
  // Paths need not be UTF-8.
  return dump_json(json, 2) + "\n";
}

std::string clean_data(const DataCleaningRequest& request) {
  require_two_outputs(request.output_source, request.output_target);
  require_two_outputs(request.output_source, request.dropped);
  require_two_outputs(request.output_target, request.dropped);
  OutputFile source_output(request.output_source);
  OutputFile target_output(request.output_target);
  std::optional<OutputFile> dropped;
  if (!request.dropped.empty()) dropped.emplace(request.dropped);
  int64_t written = 0;
  const auto write = [&](const SentencePair& texts) {
    source_output.write(texts.source + "\n");
    target_output.write(texts.target + "\n");
    ++written;
  };
  const auto inspection = inspect_corpus(request.inspection, [&](const InspectedPair& pair) {
    if (!pair.issue) {
      write(pair.texts);
    } else if (pair.repaired) {
      write(*pair.repaired);
    } else if (dropped) {
      dropped->write(fmt::format("{}\t{}\t{}\t{}\n", pair.line, issue_name(*pair.issue),
                                 on_one_line(pair.texts.source), on_one_line(pair.texts.target)));
    }
  });
  source_output.finish();
  target_output.finish();
  if (dropped) dropped->finish();
  auto summary = fmt::format("kept {} of {}\n", written, counted(inspection.lines, "pair"));
  for (size_t i = 0; i < kNumIssues; ++i) {
    const auto issue = static_cast<Issue>(i);
    const auto add = [&](int64_t pairs, const char* what) {
      if (pairs == 0) return;
      summary +=
          fmt::format("  {} {:<11}{}: {}\n", pairs, what, issue_name(issue), issue_meaning(issue));
    };
    add(inspection.repairable[i], issue == Issue::kSwapped ? "exchanged" : "realigned");
    add(inspection.counts[i] - inspection.repairable[i], "dropped");
  }
  for (const auto& warning : warnings_of(inspection)) summary += warning;
  return summary;
}

void require_none(const CorpusInspection& inspection, const std::vector<Issue>& issues) {
  std::string found;
  for (size_t i = 0; i < kNumIssues; ++i) {
    const auto issue = static_cast<Issue>(i);
    const bool asked = std::find(issues.begin(), issues.end(), issue) != issues.end();
    if (!asked || inspection.counts[i] == 0) continue;
    found +=
        fmt::format("{}{} {}", found.empty() ? "" : ", ", inspection.counts[i], issue_name(issue));
  }
  if (found.empty()) return;
  throw Error(fmt::format("{} and {}: found {} (--fail-on); clean them with nmt data clean",
                          inspection.corpus.source.string(), inspection.corpus.target.string(),
                          found));
}

std::vector<Issue> parse_issues(const std::vector<std::string>& names) {
  std::vector<Issue> issues;
  for (const auto& name : names) {
    if (name != "any") {
      issues.push_back(parse_issue(name));
      continue;
    }
    for (size_t i = 0; i < kNumIssues; ++i) issues.push_back(static_cast<Issue>(i));
  }
  return issues;
}

}  // namespace nmt
