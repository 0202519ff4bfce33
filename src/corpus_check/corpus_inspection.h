#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "corpus_check/line_features.h"
#include "corpus_check/misalignment.h"
#include "data/pair_reader.h"
#include "text/placeholders.h"

namespace nmt {

/// Issues of a sentence pair; a pair counts under the first that applies.
enum class Issue {
  kNotUtf8,
  kEmpty,
  kEncoding,
  kControl,
  kMarkup,
  kUrl,
  kJoined,
  kInTest,
  kDuplicate,
  kCopy,
  kTooLong,
  kScript,
  kNoWords,
  kLanguage,
  kLength,
  kMisaligned,
  kUnrelated,
  kNumbers,
  kSwapped,
};
constexpr size_t kNumIssues = 19;

/// The issue's name in options and reports, such as "not-utf8".
const char* issue_name(Issue issue);
const char* issue_meaning(Issue issue);
/// Throws UsageError that lists the names.
Issue parse_issue(const std::string& name);

struct InspectionRequest {
  TextFiles corpus;
  std::vector<std::filesystem::path> held_out;  // texts, either side, that training must not see
  int64_t max_words = 250;                      // a side
  // Issues that are not reported. One that explains why the sides differ, such as "language", also
  // keeps the pair from being called unrelated.
  std::vector<Issue> ignored;
  std::function<void(int64_t lines)> progress = nullptr;
};

struct InspectedPair {
  int64_t line = 0;  // from 1
  SentencePair texts;
  std::optional<Issue> issue = {};
  std::optional<SentencePair> repaired = {};  // of swapped, some misaligned
  int64_t shift = 0;                          // misaligned pairs: target line minus source line
};

/// Statistics of a whole corpus and the issues of its pairs.
struct CorpusInspection {
  TextFiles corpus;
  int64_t lines = 0;
  int64_t good = 0;
  std::array<int64_t, kNumIssues> counts = {};      // pairs, indexed by Issue
  std::array<int64_t, kNumIssues> repairable = {};  // pairs of `counts` with a correction
  std::array<std::vector<InspectedPair>, kNumIssues> examples;  // first pairs of each issue
  std::vector<MisalignedLines> misaligned;
  int64_t split = 0;          // pairs with a side that is split into subwords
  int64_t not_composed = 0;   // targets that are not in Unicode's composed form
  std::string names_warning;  // the sides are exchanged by the files' names; empty: they are not
  Script source_script = Script::kLatin;
  Script target_script = Script::kLatin;
  double source_words = 0;
  double target_words = 0;
  double length_ratio = 1.0;      // target characters for each source character
  double length_deviation = 1.0;  // of (t − ratio·s) / √s, Gale and Church 1993
};

using PairVisitor = std::function<void(const InspectedPair& pair)>;

/// Reads the corpus three times: to sample pairs for learning languages and words, for statistics,
/// and to check each pair. The language that most pairs have as their source is the source, unless
/// the names of the files and common words clearly show that the sides are exchanged. `visit`, if
/// given, is called with each pair in order. Needs about 60 bytes of memory a line and at most 200
/// MB for what is learned. Throws Error when the files cannot be read, differ in their number of
/// lines or change meanwhile.
CorpusInspection inspect_corpus(const InspectionRequest& request, const PairVisitor& visit = {});

}  // namespace nmt
