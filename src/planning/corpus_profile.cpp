#include "planning/corpus_profile.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "data/pair_reader.h"
#include "errors/error.h"
#include "processes/interrupt.h"
#include "unicode/code_points.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr int64_t kSampledPairs = 200000;
constexpr size_t kMaxDistinctWords = 2000000;
constexpr int64_t kPairsBetweenLooks = 1 << 16;

/// Counts one side of the sampled lines.
class SideCounts {
 public:
  void add(const std::string& line) {
    std::u32string word;
    for (const char32_t code : to_code_points(line)) {
      if (is_whitespace(code)) {
        end(word);
        continue;
      }
      characters_.insert(code);
      if (is_letter(code)) {
        const auto script = script_of(code);
        ++letters_of_[static_cast<size_t>(script == Script::kKana ? Script::kHan : script)];
      }
      constexpr double kCharacterWords = 0.5;
      if (is_written_without_spaces(code)) {
        words_ += kCharacterWords;
      } else {
        word += code;
      }
    }
    end(word);
  }

  /// With `scale` times the words.
  SideProfile profile(double scale) const {
    SideProfile side;
    side.words = words_ * scale;
    side.characters = static_cast<int64_t>(characters_.size());
    for (const auto& [word, count] : counts_) side.frequent_words += count >= kFrequent ? 1 : 0;
    const auto most = std::max_element(letters_of_.begin(), letters_of_.end());
    side.script = static_cast<Script>(most - letters_of_.begin());
    return side;
  }

  /// Adds the other side's words and characters.
  void merge(const SideCounts& other) {
    for (const auto& [word, count] : other.counts_) counts_[word] += count;
    characters_.insert(other.characters_.begin(), other.characters_.end());
  }

 private:
  void end(std::u32string& word) {
    if (word.empty()) return;
    words_ += 1;
    if (counts_.size() < kMaxDistinctWords) ++counts_[to_utf8(word)];
    word.clear();
  }

  double words_ = 0;
  std::unordered_map<std::string, int64_t> counts_;
  std::unordered_set<char32_t> characters_;
  std::array<int64_t, kNumScripts> letters_of_ = {};
};

}  // namespace

CorpusProfile profile_corpora(const std::vector<std::string>& sources,
                              const std::vector<std::string>& targets) {
  CorpusProfile profile;
  SideCounts source_counts;
  SideCounts target_counts;
  int64_t sampled = 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    PairReader reader(sources[i], targets[i]);
    std::string source;
    std::string target;
    int64_t line = 1;
    for (; reader.next(source, target); ++line) {
      ++profile.pairs;
      if (line % kPairsBetweenLooks == 0 && interrupted()) {
        throw Interrupted("interrupted while reading the corpora; nothing was trained");
      }
      if (line > kSampledPairs) continue;
      ++sampled;
      source_counts.add(source);
      target_counts.add(target);
    }
    require_not_empty(sources[i], targets[i], line - 1);
  }
  const double scale =
      static_cast<double>(profile.pairs) / static_cast<double>(std::max<int64_t>(sampled, 1));
  profile.source = source_counts.profile(scale);
  profile.target = target_counts.profile(scale);
  source_counts.merge(target_counts);
  const auto both = source_counts.profile(scale);
  profile.frequent_words = both.frequent_words;
  profile.characters = both.characters;
  return profile;
}

}  // namespace nmt
