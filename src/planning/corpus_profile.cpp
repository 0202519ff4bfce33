#include "planning/corpus_profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "data/pair_reader.h"
#include "processes/interrupt.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

constexpr int64_t kSampledPairs = 200000;
constexpr size_t kMaxDistinctWords = 2000000;
constexpr int64_t kPairsBetweenLooks = 1 << 16;

/// Counts one side of the sampled lines.
class SideCounts {
 public:
  void add(const std::u32string& line) {
    ++lines_;
    if (line.find(U'\u200C') != std::u32string::npos) ++lines_with_non_joiner_;
    std::u32string word;
    for (const char32_t code : line) {
      if (is_whitespace(code)) {
        end(word);
        continue;
      }
      characters_.insert(code);
      if (is_letter(code)) ++corpus_letters_[static_cast<size_t>(counted_script(code))];
      if (!is_written_without_spaces(code)) word += code;
    }
    end(word);
  }

  void end_corpus() {
    scripts_.insert(main_script(corpus_letters_));
    for (size_t i = 0; i < kNumScripts; ++i) letters_[i] += corpus_letters_[i];
    corpus_letters_ = {};
  }

  /// The profile of this side, with `words` scaled to the whole corpus.
  SideProfile profile(double words) const {
    SideProfile side;
    side.words = words;
    side.characters = static_cast<int64_t>(characters_.size());
    for (const auto& [word, count] : counts_) side.frequent_words += count >= kFrequent ? 1 : 0;
    side.script = main_script(letters_);
    side.scripts = scripts_;
    side.non_joiners = lines_with_non_joiner_ * 100 > lines_;
    return side;
  }

  /// Adds the other side's words and characters.
  void merge(const SideCounts& other) {
    for (const auto& [word, count] : other.counts_) counts_[word] += count;
    characters_.insert(other.characters_.begin(), other.characters_.end());
  }

 private:
  using Letters = std::array<int64_t, kNumScripts>;

  void end(std::u32string& word) {
    if (word.empty()) return;
    const auto text = to_utf8(word);
    const auto known = counts_.find(text);
    if (known != counts_.end()) {
      ++known->second;
    } else if (counts_.size() < kMaxDistinctWords) {
      counts_.emplace(text, 1);
    }
    word.clear();
  }

  std::unordered_map<std::string, int64_t> counts_;
  std::unordered_set<char32_t> characters_;
  Letters corpus_letters_ = {};  // of the corpus that is being read
  Letters letters_ = {};
  std::set<Script> scripts_;
  int64_t lines_ = 0;
  int64_t lines_with_non_joiner_ = 0;
};

/// Words of a pair, as number_of_words counts them.
struct PairWords {
  double source = 0;
  double target = 0;
};

/// Whether training drops such a pair with any vocabulary: a side is empty or far longer than
/// `max_length` tokens.
bool is_surely_dropped(const PairWords& words, int64_t max_length) {
  // A word has at least one token; the two characters that count as a word in scripts without
  // spaces have hardly less than a quarter.
  constexpr double kTokenWords = 4;
  const auto [shorter, longer] = std::minmax(words.source, words.target);
  return shorter == 0 || longer > kTokenWords * static_cast<double>(max_length);
}

}  // namespace

CorpusProfile profile_corpora(const std::vector<std::string>& sources,
                              const std::vector<std::string>& targets, int64_t max_length) {
  CorpusProfile profile;
  SideCounts source_counts;
  SideCounts target_counts;
  PairWords all;
  for (size_t i = 0; i < sources.size(); ++i) {
    PairWords sampled;
    int64_t dropped = 0;  // of the sampled pairs
    int64_t pairs = 0;
    const auto count = [&](int64_t line, const auto& source, const auto& target) {
      pairs = line;
      if (line % kPairsBetweenLooks == 0) {
        stop_if_interrupted("interrupted while reading the corpora; nothing was trained");
      }
      if (line > kSampledPairs) return;
      const auto source_text = to_code_points(source);
      const auto target_text = to_code_points(target);
      const PairWords words = {number_of_words(source_text), number_of_words(target_text)};
      if (is_surely_dropped(words, max_length)) {
        ++dropped;
        return;
      }
      source_counts.add(source_text);
      target_counts.add(target_text);
      sampled.source += words.source;
      sampled.target += words.target;
    };
    for_each_pair(sources[i], targets[i], count);
    source_counts.end_corpus();
    target_counts.end_corpus();
    require_not_empty(sources[i], targets[i], pairs);
    const double scale =
        static_cast<double>(pairs) / static_cast<double>(std::min(pairs, kSampledPairs));
    profile.pairs += pairs - std::llround(scale * static_cast<double>(dropped));
    all.source += scale * sampled.source;
    all.target += scale * sampled.target;
  }
  profile.source = source_counts.profile(all.source);
  profile.target = target_counts.profile(all.target);
  source_counts.merge(target_counts);
  const auto both = source_counts.profile(all.source + all.target);
  profile.frequent_words = both.frequent_words;
  profile.characters = both.characters;
  return profile;
}

}  // namespace nmt
