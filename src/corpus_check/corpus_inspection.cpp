#include "corpus_check/corpus_inspection.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/pair_reader.h"
#include "errors/error.h"
#include "files/line_reader.h"

namespace nmt {
namespace {

constexpr size_t kExamples = 3;
constexpr double kFarOff = 6.0;        // standard deviations of length; corpora have long tails
constexpr int64_t kShortLine = 12;     // characters; may be a name in any script
constexpr double kForeignShare = 0.8;  // of a line's letters
constexpr int64_t kProgressLines = 10000;

struct IssueText {
  const char* name;
  const char* meaning;
};

constexpr IssueText kIssueTexts[kNumIssues] = {
    {"not-utf8", "a side is not valid UTF-8"},
    {"empty", "a side is empty"},
    {"control", "a side contains control characters"},
    {"in-test", "a side is in a held-out text"},
    {"duplicate", "repeats an earlier pair, apart from case and punctuation"},
    {"copy", "source and target are identical"},
    {"too-long", "a side has too many words"},
    {"script", "most letters are in another script than the file's"},
    {"no-words", "only one side consists of words"},
    {"length", "the lengths do not match"},
    {"misaligned", "the surrounding lines seem to be shifted"},
};

uint64_t pair_key(const LineFeatures& source, const LineFeatures& target) {
  return source.text * 0x9E3779B97F4A7C15ULL + target.text;
}

double length_error(double ratio, const LineFeatures& source, const LineFeatures& target) {
  const auto s = static_cast<double>(source.characters);
  const auto t = static_cast<double>(target.characters);
  return (t - ratio * s) / std::sqrt(std::max(s, 1.0));
}

/// Hashes of the held-out texts.
std::unordered_set<uint64_t> read_held_out(const std::vector<std::filesystem::path>& paths) {
  std::unordered_set<uint64_t> texts;
  for (const auto& path : paths) {
    std::string line;
    for (LineReader reader(path); reader.next(line);) {
      const auto features = features_of(line);
      // A common short line such as "Yes." is no leak.
      if (features.characters > kShortLine && features.words > 2) texts.insert(features.text);
    }
  }
  return texts;
}

/// Collects the statistics of a whole corpus.
class CorpusStatistics {
 public:
  void add(const LineFeatures& source, const LineFeatures& target) {
    for (size_t i = 0; i < kNumScripts; ++i) {
      source_letters_[i] += source.letters_of[i];
      target_letters_[i] += target.letters_of[i];
    }
    shapes_.push_back({length_of(source), length_of(target), short_hash(source.numbers),
                       short_hash(target.numbers)});
    lengths_.push_back(
        {static_cast<float>(source.characters), static_cast<float>(target.characters)});
  }

  void finish(CorpusInspection& inspection) {
    inspection.source_script = main_script(source_letters_);
    inspection.target_script = main_script(target_letters_);
    double source_sum = 1;
    double target_sum = 1;
    for (const auto& [s, t] : lengths_) {
      source_sum += double{s};
      target_sum += double{t};
    }
    inspection.length_ratio = target_sum / source_sum;
    inspection.length_deviation = deviation(inspection.length_ratio);
    inspection.misaligned = find_misaligned(shapes_);
    shapes_.clear();
  }

 private:
  static float length_of(const LineFeatures& line) {
    return std::log1p(static_cast<float>(line.characters));
  }

  static uint32_t short_hash(uint64_t numbers) { return static_cast<uint32_t>(numbers >> 32); }

  /// From the median absolute error, which the outliers sought do not distort.
  double deviation(double ratio) const {
    std::vector<double> errors;
    for (const auto& [s, t] : lengths_) {
      if (s < 1 || t < 1) continue;
      errors.push_back(std::abs(double{t} - ratio * double{s}) / std::sqrt(double{s}));
    }
    if (errors.empty()) return 1.0;
    const auto middle = errors.begin() + static_cast<int64_t>(errors.size() / 2);
    std::nth_element(errors.begin(), middle, errors.end());
    constexpr double kNormalMedian = 0.6745;  // of |x|, of a normal distribution
    return std::max(*middle / kNormalMedian, 0.5);
  }

  std::array<int64_t, kNumScripts> source_letters_ = {};
  std::array<int64_t, kNumScripts> target_letters_ = {};
  std::vector<LineShape> shapes_;
  std::vector<std::pair<float, float>> lengths_;
};

/// Finds each pair's issue.
class PairFilter {
 public:
  PairFilter(const InspectionRequest& request, const CorpusInspection& inspection)
      : request_(request), inspection_(inspection), held_out_(read_held_out(request.held_out)) {}

  std::optional<Issue> issue_of(int64_t line, const LineFeatures& source,
                                const LineFeatures& target) {
    if (!source.valid || !target.valid) return Issue::kNotUtf8;
    if (source.words == 0 || target.words == 0) return Issue::kEmpty;
    if (source.control || target.control) return Issue::kControl;
    if (held_out_.count(source.text) + held_out_.count(target.text) > 0) return Issue::kInTest;
    const bool has_text = source.text != 0 && target.text != 0;
    if (has_text && !seen_.insert(pair_key(source, target)).second) return Issue::kDuplicate;
    if (has_text && source.text == target.text && source.words > 2) return Issue::kCopy;
    if (std::max(source.words, target.words) > request_.max_words) return Issue::kTooLong;
    if (is_foreign(source, inspection_.source_script) ||
        is_foreign(target, inspection_.target_script)) {
      return Issue::kScript;
    }
    if (has_no_words(source, target) || has_no_words(target, source)) return Issue::kNoWords;
    const double error = length_error(inspection_.length_ratio, source, target);
    if (std::abs(error) > kFarOff * inspection_.length_deviation) return Issue::kLength;
    if (is_misaligned(line)) return Issue::kMisaligned;
    return std::nullopt;
  }

 private:
  static bool is_foreign(const LineFeatures& line, Script expected) {
    if (line.characters <= kShortLine || line.letters == 0) return false;
    const auto own = line.letters_of[static_cast<size_t>(expected)];
    return static_cast<double>(line.letters - own) >
           kForeignShare * static_cast<double>(line.letters);
  }

  static bool has_no_words(const LineFeatures& line, const LineFeatures& other) {
    return line.characters > kShortLine && 4 * line.letters < line.characters &&
           2 * other.letters > other.characters;
  }

  bool is_misaligned(int64_t line) const {
    return std::any_of(
        inspection_.misaligned.begin(), inspection_.misaligned.end(),
        [line](const MisalignedLines& lines) { return lines.first <= line && line <= lines.last; });
  }

  const InspectionRequest& request_;
  const CorpusInspection& inspection_;
  std::unordered_set<uint64_t> held_out_;
  std::unordered_set<uint64_t> seen_;
};

void read_pairs(const InspectionRequest& request, const PairLines& visit) {
  for_each_pair(request.corpus.source, request.corpus.target,
                [&](int64_t line, const std::string& source, const std::string& target) {
                  visit(line, source, target);
                  if (request.progress && line % kProgressLines == 0) request.progress(line);
                });
}

void require_two_passes(const CorpusFiles& corpus) {
  for (const auto& path : {corpus.source, corpus.target}) {
    std::error_code ignored;
    const auto type = std::filesystem::status(path, ignored).type();
    const bool readable_once = path == "-" || type == std::filesystem::file_type::fifo;
    if (!readable_once) continue;
    throw Error(path.string() + ": cannot be read twice; use a regular file");
  }
}

}  // namespace

const char* issue_name(Issue issue) { return kIssueTexts[static_cast<size_t>(issue)].name; }

const char* issue_meaning(Issue issue) { return kIssueTexts[static_cast<size_t>(issue)].meaning; }

Issue parse_issue(const std::string& name) {
  std::string names;
  for (size_t i = 0; i < kNumIssues; ++i) {
    if (name == kIssueTexts[i].name) return static_cast<Issue>(i);
    names += (i == 0 ? "" : ", ") + std::string(kIssueTexts[i].name);
  }
  throw UsageError("'" + name + "': unknown issue; use one of: " + names);
}

CorpusInspection inspect_corpus(const InspectionRequest& request, const PairVisitor& visit) {
  require_two_passes(request.corpus);
  CorpusInspection inspection;
  CorpusStatistics statistics;
  read_pairs(request, [&](int64_t line, const std::string& source, const std::string& target) {
    const auto source_features = features_of(source);
    const auto target_features = features_of(target);
    inspection.lines = line;
    inspection.source_words += source_features.words;
    inspection.target_words += target_features.words;
    statistics.add(source_features, target_features);
  });
  statistics.finish(inspection);
  PairFilter filter(request, inspection);
  read_pairs(request, [&](int64_t line, const std::string& source, const std::string& target) {
    const auto issue = filter.issue_of(line, features_of(source), features_of(target));
    if (visit) visit(line, source, target, issue ? &*issue : nullptr);
    if (!issue) {
      ++inspection.good;
      return;
    }
    const auto kind = static_cast<size_t>(*issue);
    auto& examples = inspection.examples[kind];
    if (inspection.counts[kind]++ < static_cast<int64_t>(kExamples)) {
      examples.push_back({line, source, target});
    }
  });
  return inspection;
}

}  // namespace nmt
