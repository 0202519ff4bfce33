#include "corpus_check/corpus_inspection.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <initializer_list>
#include <map>
#include <unordered_set>
#include <utility>

#include "corpus_check/common_words.h"
#include "corpus_check/line_defects.h"
#include "corpus_check/pair_relation.h"
#include "corpus_check/pair_sample.h"
#include "corpus_check/side_languages.h"
#include "errors/error.h"
#include "files/file.h"
#include "files/line_reader.h"
#include "text/composed_form.h"
#include "text/contradicting_numbers.h"
#include "text/target_languages.h"
#include "text/word_vocabulary.h"

namespace nmt {
namespace {

constexpr size_t kExamples = 3;
constexpr double kFarOff = 6.0;        // standard deviations of length; corpora have long tails
constexpr int64_t kShortLine = 12;     // characters; may be a name in any script
constexpr double kForeignShare = 0.8;  // of a line's letters
constexpr int64_t kProgressLines = 10000;

// Sample sizes in pairs, and the longest line in a sample, in bytes.
constexpr size_t kLanguageSample = 8000;
constexpr size_t kRelationSample = 50000;
constexpr size_t kLongestSampled = 1500;

// Measured on Tatoeba, Multi30k and Korean-English pairs; see docs/data.md.
constexpr double kUnrelated = 0.1;  // probability that a pair is random
constexpr double kRelated = 2.0;    // log odds that contradict another language
constexpr double kRealigned = 3.0;  // log odds in favor of another line's target
constexpr int64_t kNeighbors = 2;   // lines; one of them must have the same shift

struct IssueText {
  const char* name;
  const char* meaning;
};

constexpr IssueText kIssueTexts[kNumIssues] = {
    {"not-utf8",
     "a side is not valid UTF-8; convert it, for example with iconv -f WINDOWS-1252 -t UTF-8 (or "
     "from its encoding, e.g. EUC-KR)"},
    {"empty", "a side is empty"},
    {"encoding", "a side was decoded with the wrong encoding"},
    {"control", "a side contains control characters"},
    {"markup", "a side contains HTML or XML markup"},
    {"url", "a side is only a web or mail address"},
    {"joined", "a side has several texts separated by tabs"},
    {"in-test", "a side is in a held-out text"},
    {"duplicate", "repeats an earlier pair, apart from case and punctuation"},
    {"copy", "source and target are identical"},
    {"too-long", "a side has too many words"},
    {"script", "most letters are in another script than the file's"},
    {"no-words", "only one side consists of words"},
    {"language", "a side is in another language than its file"},
    {"length", "the lengths do not match"},
    {"misaligned", "the surrounding lines seem to be shifted"},
    {"unrelated", "the words do not translate each other"},
    {"numbers", "the numbers contradict each other"},
    {"swapped", "source and target are swapped"},
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
    LineReader reader(path);
    for (reader.require_text(); reader.next(line);) {
      const auto features = features_of(split_marker(line).text);
      // A common short line such as "Yes." is no leak.
      const bool is_short = features.characters <= kShortLine || features.words <= 2;
      if (!is_short && features.text != 0) texts.insert(features.text);
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
    shapes_.push_back(shape_of(source, target));
    if (!source.valid || !target.valid) return;  // lengths in characters are unknown
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
  }

 private:
  /// From the median absolute error, which is robust to the outliers that are sought.
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

/// The models learned from samples of the corpus, by which its pairs are judged.
class CorpusKnowledge {
 public:
  CorpusKnowledge(const TextFiles& corpus, PairSample& languages, PairSample& relation)
      : languages_(languages.pairs()) {
    NamedLanguages names(corpus.source, corpus.target);
    for (const auto& pair : languages.pairs()) names.add(pair.source, pair.target);
    names_warning_ = names.warning();
    if (languages_.distinct()) choose_sides(languages.pairs());
    for (auto& pair : relation.pairs()) {
      const auto verdict = languages_.judge(pair.line, pair.source, pair.target);
      if (verdict.swapped) std::swap(pair.source, pair.target);
    }
    relation_.emplace(relation.pairs());
  }

  const std::string& names_warning() const { return names_warning_; }
  LanguageVerdict judge_languages(int64_t line, const SentencePair& texts) {
    return languages_.judge(line, texts.source, texts.target);
  }
  PairRelation& relation() { return *relation_; }

 private:
  /// Most pairs show the source's language, unless the names clearly say otherwise.
  void choose_sides(const std::vector<SampledPair>& sample) {
    size_t swapped = 0;
    for (const auto& pair : sample) {
      if (languages_.judge(pair.line, pair.source, pair.target).swapped) ++swapped;
    }
    if ((2 * swapped > sample.size()) == names_warning_.empty()) languages_.exchange();
  }

  SideLanguages languages_;
  std::optional<PairRelation> relation_;
  std::string names_warning_;  // of NamedLanguages
};

/// The current pair and kReach pairs on either side of it.
class Window {
 public:
  static constexpr int64_t kReach = kMaxShift + kNeighbors;

  void push(SampledPair pair) {
    pairs_.push_back(std::move(pair));
    if (pairs_.size() > 2 * kReach + 1) pairs_.pop_front();
  }
  const SampledPair* find(int64_t line) const {
    if (pairs_.empty() || line < pairs_.front().line || line > pairs_.back().line) return nullptr;
    return &pairs_[static_cast<size_t>(line - pairs_.front().line)];
  }

 private:
  std::deque<SampledPair> pairs_;
};

/// The misaligned stretches of a corpus that is read in order: first those found by line lengths,
/// then those that add() appends.
class MisalignedStretches {
 public:
  explicit MisalignedStretches(std::vector<MisalignedLines>& stretches)
      : stretches_(stretches), by_length_(stretches.size()) {}

  /// The stretch found by line lengths that contains this line, or null.
  const MisalignedLines* around(int64_t line) {
    for (; next_ < by_length_ && stretches_[next_].last < line; ++next_) {
      latest_[stretches_[next_].shift] = next_;
    }
    const bool within = next_ < by_length_ && stretches_[next_].first <= line;
    return within ? &stretches_[next_] : nullptr;
  }

  /// Adds a line to a stretch, unless it is in one found by line lengths.
  void add(int64_t line, int64_t shift) {
    if (around(line) != nullptr) return;
    const auto [latest, is_first] = latest_.try_emplace(shift, stretches_.size());
    if (!is_first && line <= stretches_[latest->second].last + Window::kReach) {
      stretches_[latest->second].last = line;
      return;
    }
    latest->second = stretches_.size();
    stretches_.push_back({line, line, shift});
  }

 private:
  std::vector<MisalignedLines>& stretches_;
  const size_t by_length_;            // stretches found by length, at the beginning
  size_t next_ = 0;                   // of them
  std::map<int64_t, size_t> latest_;  // stretch of each shift
};

/// Issues that leave the sides without words to compare.
bool is_incomparable(Issue issue) {
  constexpr Issue kIncomparable[] = {Issue::kNotUtf8, Issue::kEmpty, Issue::kUrl,
                                     Issue::kJoined,  Issue::kCopy,  Issue::kScript,
                                     Issue::kNoWords};
  return std::find(std::begin(kIncomparable), std::end(kIncomparable), issue) !=
         std::end(kIncomparable);
}

/// Finds each pair's issue.
class PairFilter {
 public:
  PairFilter(const InspectionRequest& request, const CorpusInspection& inspection,
             MisalignedStretches& stretches, CorpusKnowledge& knowledge)
      : request_(request),
        inspection_(inspection),
        stretches_(stretches),
        knowledge_(knowledge),
        held_out_(read_held_out(request.held_out)) {}

  InspectedPair inspect(const SampledPair& pair, const Window& window) {
    InspectedPair inspected = {pair.line, {pair.source, pair.target}};
    auto source = features_of(pair.source);
    auto target = features_of(pair.target);
    auto issues = defects_of(inspected.texts, source, target);
    inspected.issue = first_of(issues);
    if (inspected.issue || has_issue(issues, Issue::kNotUtf8)) return inspected;
    const auto verdict = knowledge_.judge_languages(pair.line, inspected.texts);
    auto oriented = inspected.texts;
    if (verdict.swapped) {
      std::swap(oriented.source, oriented.target);
      std::swap(source, target);
    }
    const auto others = issues_of(oriented.source, source, target);
    inspected.issue = first_of(others);
    issues.insert(issues.end(), others.begin(), others.end());
    if (inspected.issue || std::any_of(issues.begin(), issues.end(), is_incomparable)) {
      return inspected;
    }
    const double error = length_error(inspection_.length_ratio, source, target);
    inspect_relation(inspected, oriented, error, verdict, window);
    if (!inspected.issue && verdict.swapped && !is_ignored(Issue::kSwapped)) {
      inspected.issue = Issue::kSwapped;
      inspected.repaired = oriented;
    }
    return inspected;
  }

 private:
  using Issues = std::vector<Issue>;

  static bool has_issue(const Issues& issues, Issue issue) {
    return std::find(issues.begin(), issues.end(), issue) != issues.end();
  }

  bool is_ignored(Issue issue) const { return has_issue(request_.ignored, issue); }

  /// The first issue that is not ignored.
  std::optional<Issue> first_of(const Issues& issues) const {
    const auto first =
        std::find_if(issues.begin(), issues.end(), [&](Issue issue) { return !is_ignored(issue); });
    return first == issues.end() ? std::nullopt : std::optional(*first);
  }

  static Issues those_that_apply(std::initializer_list<std::pair<Issue, bool>> checked) {
    Issues issues;
    for (const auto& [issue, applies] : checked) {
      if (applies) issues.push_back(issue);
    }
    return issues;
  }

  static Issues defects_of(const SentencePair& texts, const LineFeatures& source,
                           const LineFeatures& target) {
    const auto either = [&](bool (*has_defect)(std::string_view)) {
      return has_defect(texts.source) || has_defect(texts.target);
    };
    if (!source.valid || !target.valid) return {Issue::kNotUtf8};
    return those_that_apply({{Issue::kEmpty, source.words == 0 || target.words == 0},
                             {Issue::kEncoding, either(has_wrong_encoding)},
                             {Issue::kControl, source.control || target.control},
                             {Issue::kMarkup, either(has_markup)},
                             {Issue::kUrl, either(is_only_addresses)},
                             {Issue::kJoined, either(is_joined)}});
  }

  Issues issues_of(const std::string& source_line, const LineFeatures& source,
                   const LineFeatures& target) {
    const auto marked = split_marker(source_line);
    const auto unmarked = marked.language.empty() ? source.text : features_of(marked.text).text;
    const bool has_text = source.text != 0 && target.text != 0;
    const bool is_long =
        std::max(source.words, target.words) > static_cast<double>(request_.max_words);
    const bool has_foreign_side = is_foreign(source, inspection_.source_script) ||
                                  is_foreign(target, inspection_.target_script);
    return those_that_apply(
        {{Issue::kInTest, held_out_.count(unmarked) + held_out_.count(target.text) > 0},
         {Issue::kDuplicate, has_text && !seen_.insert(pair_key(source, target)).second},
         {Issue::kCopy, has_text && source.text == target.text && source.words > 2},
         {Issue::kTooLong, is_long},
         {Issue::kScript, has_foreign_side},
         {Issue::kNoWords, has_no_words(source, target) || has_no_words(target, source)}});
  }

  /// Finds issues of how the two sides relate. `error`: their length_error. A foreign language or a
  /// misalignment would explain all later issues, so those are not checked then.
  void inspect_relation(InspectedPair& pair, const SentencePair& texts, double error,
                        const LanguageVerdict& language, const Window& window) {
    auto& relation = knowledge_.relation();
    const bool reliable = relation.reliable();
    const double score = reliable ? relation.score(pair.line, texts.source, texts.target) : 0.0;
    const auto counts = [&](Issue issue, bool applies) { return applies && !is_ignored(issue); };
    // With a marker of the target language, several are as they should be.
    const bool third = language.third && split_marker(texts.source).language.empty();
    if (third || (language.foreign && (!reliable || score < kRelated))) {
      pair.issue = first_of({Issue::kLanguage});
    } else if (counts(Issue::kLength, std::abs(error) > kFarOff * inspection_.length_deviation)) {
      pair.issue = Issue::kLength;
    } else if (is_misaligned(pair, texts, score, window)) {
      pair.issue = first_of({Issue::kMisaligned});
    } else if (counts(Issue::kUnrelated,
                      reliable && relation.random_probability(score) > kUnrelated)) {
      pair.issue = Issue::kUnrelated;
    } else if (counts(Issue::kNumbers, numbers_contradict(texts.source, texts.target))) {
      pair.issue = Issue::kNumbers;
    }
  }

  /// Whether the pair is misaligned. Sets pair.repaired if the source clearly belongs to another
  /// line's target, neighboring lines have the same shift, and the new pair has no issue itself.
  bool is_misaligned(InspectedPair& pair, const SentencePair& texts, double score,
                     const Window& window) {
    const auto* lines = stretches_.around(pair.line);
    const bool within = lines != nullptr;
    if (!knowledge_.relation().reliable()) return within;
    const int64_t shift = shift_of(pair.line, window);
    bool confirmed = within && shift == lines->shift;
    for (int64_t distance = -kNeighbors; distance <= kNeighbors && !confirmed; ++distance) {
      confirmed = distance != 0 && shift != 0 && shift_of(pair.line + distance, window) == shift;
    }
    if (shift == 0 || !confirmed) return within && score < 0;
    pair.shift = shift;
    const SentencePair repaired = {texts.source, window.find(pair.line + shift)->target};
    const auto source = features_of(repaired.source);
    const auto target = features_of(repaired.target);
    const bool good = !first_of(defects_of(repaired, source, target)) &&
                      !first_of(issues_of(repaired.source, source, target));
    if (good) pair.repaired = repaired;
    return true;
  }

  /// The shift (target line minus source line) that fits the source best; 0 if none beats its own
  /// target.
  int64_t shift_of(int64_t line, const Window& window) {
    auto& known = shifts_[static_cast<size_t>(line) % shifts_.size()];
    if (known.first == line) return known.second;
    const auto* pair = window.find(line);
    if (pair == nullptr) return 0;
    auto& relation = knowledge_.relation();
    const double own = relation.score(line, pair->source, pair->target);
    int64_t best_shift = 0;
    double best = std::max(own, 0.0) + kRealigned;
    for (int64_t shift = -kMaxShift; shift <= kMaxShift && own < kRelated; ++shift) {
      const auto* partner = shift == 0 ? nullptr : window.find(line + shift);
      if (partner == nullptr) continue;
      // Scored as line 0, which no pair has: this combination was not learned from.
      const double score = relation.score(0, pair->source, partner->target);
      if (score < best) continue;
      best = score;
      best_shift = shift;
    }
    known = {line, best_shift};
    return best_shift;
  }

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

  const InspectionRequest& request_;
  const CorpusInspection& inspection_;
  MisalignedStretches& stretches_;
  CorpusKnowledge& knowledge_;
  std::unordered_set<uint64_t> held_out_;
  std::unordered_set<uint64_t> seen_;
  std::array<std::pair<int64_t, int64_t>, 4 * Window::kReach> shifts_ = {};  // of recent lines
};

void read_pairs(const InspectionRequest& request, const PairLines& visit) {
  for_each_pair(request.corpus.source, request.corpus.target,
                [&](int64_t line, const auto& source, const auto& target) {
                  visit(line, source, target);
                  if (request.progress && line % kProgressLines == 0) request.progress(line);
                });
}

/// Whether a pair can teach anything about the corpus.
bool is_instructive(const LineFeatures& source, const LineFeatures& target, size_t longest) {
  return source.valid && target.valid && source.letters > 0 && target.letters > 0 &&
         longest <= kLongestSampled;
}

CorpusKnowledge learn_from(const InspectionRequest& request) {
  PairSample languages(kLanguageSample);
  PairSample relation(kRelationSample);
  read_pairs(request, [&](int64_t line, const auto& source, const auto& target) {
    const auto longest = std::max(source.size(), target.size());
    if (!is_instructive(features_of(source), features_of(target), longest)) return;
    for (const auto* text : {&source, &target}) {
      if (has_markup(*text) || is_joined(*text) || is_only_addresses(*text)) return;
    }
    languages.offer(line, source, target);
    relation.offer(line, source, target);
  });
  return {request.corpus, languages, relation};
}

/// Reads the whole corpus for its statistics, whose memory is released before pairs are judged.
void measure(const InspectionRequest& request, CorpusKnowledge& knowledge,
             CorpusInspection& inspection) {
  CorpusStatistics statistics;
  read_pairs(request, [&](int64_t line, const auto& source, const auto& target) {
    auto source_features = features_of(source);
    auto target_features = features_of(target);
    inspection.lines = line;
    if (is_split_into_subwords(source) || is_split_into_subwords(target)) ++inspection.split;
    const bool valid = source_features.valid && target_features.valid;
    if (valid && !is_composed(target)) ++inspection.not_composed;
    if (valid && knowledge.judge_languages(line, {source, target}).swapped) {
      std::swap(source_features, target_features);
    }
    inspection.source_words += source_features.words;
    inspection.target_words += target_features.words;
    statistics.add(source_features, target_features);
  });
  require_not_empty(request.corpus.source, request.corpus.target, inspection.lines);
  statistics.finish(inspection);
}

void record(CorpusInspection& inspection, const InspectedPair& pair) {
  if (!pair.issue) {
    ++inspection.good;
    return;
  }
  const auto kind = static_cast<size_t>(*pair.issue);
  ++inspection.counts[kind];
  if (pair.repaired) ++inspection.repairable[kind];
  if (inspection.examples[kind].size() < kExamples) inspection.examples[kind].push_back(pair);
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
  require_rereadable({request.corpus.source, request.corpus.target});
  auto knowledge = learn_from(request);
  CorpusInspection inspection;
  inspection.corpus = request.corpus;
  inspection.names_warning = knowledge.names_warning();
  measure(request, knowledge, inspection);
  MisalignedStretches stretches(inspection.misaligned);
  PairFilter filter(request, inspection, stretches, knowledge);
  Window window;
  const auto inspect = [&](int64_t line) {
    const auto* pair = window.find(line);
    if (pair == nullptr) return;
    const auto inspected = filter.inspect(*pair, window);
    record(inspection, inspected);
    if (inspected.shift != 0) stretches.add(line, inspected.shift);
    if (visit) visit(inspected);
  };
  int64_t lines = 0;
  read_pairs(request, [&](int64_t line, const auto& source, const auto& target) {
    lines = line;
    window.push({line, source, target});
    inspect(line - Window::kReach);
  });
  if (lines != inspection.lines) {
    throw Error(corpus_name(request.corpus.source, request.corpus.target) +
                ": changed while read; run the command again");
  }
  const int64_t waiting = std::min(inspection.lines, Window::kReach);
  for (int64_t line = inspection.lines - waiting + 1; line <= inspection.lines; ++line) {
    inspect(line);
  }
  return inspection;
}

}  // namespace nmt
