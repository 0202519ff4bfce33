#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "corpus_check/line_features.h"
#include "corpus_check/misalignment.h"

namespace nmt {

/// Issues of a sentence pair; a pair counts under the first that applies.
enum class Issue {
  kNotUtf8,
  kEmpty,
  kControl,
  kInTest,
  kDuplicate,
  kCopy,
  kTooLong,
  kScript,
  kNoWords,
  kLength,
  kMisaligned,
};
constexpr size_t kNumIssues = 11;

/// The issue's name in options and reports, such as "not-utf8".
const char* issue_name(Issue issue);
const char* issue_meaning(Issue issue);
/// Throws UsageError that lists the names.
Issue parse_issue(const std::string& name);

struct CorpusFiles {
  std::filesystem::path source;
  std::filesystem::path target;
};

struct InspectionRequest {
  CorpusFiles corpus;
  std::vector<std::filesystem::path> held_out;  // texts, either side, that training must not see
  int64_t max_words = 250;                      // a side
  std::function<void(int64_t lines)> progress = nullptr;
};

struct IssueExample {
  int64_t line = 0;
  std::string source;
  std::string target;
};

/// Statistics of a whole corpus and the issues of its pairs.
struct CorpusInspection {
  int64_t lines = 0;
  int64_t good = 0;
  std::array<int64_t, kNumIssues> counts = {};                 // by Issue
  std::array<std::vector<IssueExample>, kNumIssues> examples;  // the first of each
  std::vector<MisalignedLines> misaligned;
  Script source_script = Script::kLatin;
  Script target_script = Script::kLatin;
  int64_t source_words = 0;
  int64_t target_words = 0;
  double length_ratio = 1.0;      // target characters for each source character
  double length_deviation = 1.0;  // of (t − ratio·s) / √s, Gale and Church 1993
};

using PairVisitor = std::function<void(int64_t line, const std::string& source,
                                       const std::string& target, const Issue* issue)>;

/// Reads the corpus twice: once for its statistics, once to check each pair. `visit`, if given, is
/// called with each pair and its issue (null: none). Needs about 60 bytes of memory a line. Throws
/// Error when the files cannot be read or differ in their number of lines.
CorpusInspection inspect_corpus(const InspectionRequest& request, const PairVisitor& visit = {});

}  // namespace nmt
