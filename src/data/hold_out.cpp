#include "data/hold_out.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "data/pair_reader.h"
#include "errors/counted.h"
#include "errors/error.h"
#include "files/line_reader.h"
#include "numbers/mix_bits.h"
#include "text/target_languages.h"
#include "unicode/code_points.h"
#include "unicode/scripts.h"

namespace nmt {
namespace {

constexpr int64_t kFewestPairs = 10;  // in a set; smaller sets are not made
constexpr int64_t kMaxPairs = 2000;
constexpr size_t kCandidates = 16000;
constexpr size_t kCandidatesPerPair = 8;
constexpr size_t kLongestBytes = 1000;
constexpr int64_t kMaxRepeats = 6;  // times the median of candidates with different targets
constexpr int64_t kMaxShare = 4;    // at most a quarter of the pairs leave training
constexpr int64_t kProgressLines = 1 << 16;

/// A source sentence and one of its pairs.
struct Candidate {
  SentencePair pair;          // the first by rank, then by text; empty: none qualifies
  std::string language = "";  // of its target
  uint64_t target_key = 0;
  uint64_t rank = 0;

  /// Pairs of several target languages are ranked at random, so that each gets its share.
  void offer(const std::string& source, const std::string& target, const std::string& into,
             uint64_t source_key) {
    if (std::max(source.size(), target.size()) > kLongestBytes) return;
    const uint64_t own_rank = into.empty() ? 0 : mix_bits(source_key ^ sentence_key(into));
    const bool later =
        std::tie(rank, pair.target, pair.source) < std::tie(own_rank, target, source);
    if (target_key != 0 && later) return;
    const auto key = sentence_key(target);
    if (key == 0) return;
    pair = {source, target};
    language = into;
    target_key = key;
    rank = own_rank;
  }
};

/// The source sentences with the smallest keys, a uniform sample of all (bottom-k sketch; Cohen and
/// Kaplan 2007). All pairs of each are seen: one that is dropped never returns.
class SmallestKeys {
 public:
  explicit SmallestKeys(size_t size) : size_(size) {}

  void offer(const std::string& source, const std::string& target, const std::string& language) {
    ++pairs_;
    const auto key = sentence_key(source);
    if (key == 0 || key > largest_) return;
    candidates_[key].offer(source, target, language, key);
    if (candidates_.size() <= size_) return;
    candidates_.erase(std::prev(candidates_.end()));
    largest_ = candidates_.rbegin()->first;
  }

  /// Different source sentences of the text.
  int64_t sentences() const {
    const auto count = static_cast<double>(candidates_.size());
    if (largest_ == kLargestKey) return static_cast<int64_t>(candidates_.size());
    return static_cast<int64_t>(count / std::ldexp(static_cast<double>(largest_), -64));
  }

  /// The source sentences with the smallest keys, in the order of keys.
  const std::map<uint64_t, Candidate>& candidates() const { return candidates_; }

  int64_t pairs() const { return pairs_; }

 private:
  static constexpr uint64_t kLargestKey = ~uint64_t{0};

  size_t size_;
  std::map<uint64_t, Candidate> candidates_;
  uint64_t largest_ = kLargestKey;  // largest key that can still enter
  int64_t pairs_ = 0;
};

using PairVisitor = std::function<void(const std::string& source, const std::string& target,
                                       const std::string& language)>;

void for_each_pair_of(const HoldOutRequest& request, const PairVisitor& visit) {
  int64_t lines = 0;
  for (size_t i = 0; i < request.sources.size(); ++i) {
    const auto language = request.languages.empty() ? "" : request.languages[i];
    for_each_pair(request.sources[i], request.targets[i],
                  [&](int64_t, const auto& source, const auto& target) {
                    if (request.progress && ++lines % kProgressLines == 0) request.progress();
                    visit(source, target, language);
                  });
  }
}

/// How many pairs contain each candidate's sentence on either side, by sentence key.
using PairCounts = std::unordered_map<uint64_t, int64_t>;

PairCounts count_pairs(const HoldOutRequest& request, const SmallestKeys& sample) {
  PairCounts counts;
  for (const auto& [key, candidate] : sample.candidates()) {
    counts.emplace(key, 0);
    counts.emplace(candidate.target_key, 0);
  }
  const auto count = [&](uint64_t key) {
    const auto found = counts.find(key);
    if (key != 0 && found != counts.end()) ++found->second;
  };
  for_each_pair_of(request, [&](const auto& source, const auto& target, const auto&) {
    const auto source_key = sentence_key(source);
    const auto target_key = sentence_key(target);
    count(source_key);
    if (target_key != source_key) count(target_key);
  });
  return counts;
}

/// How many pairs contain the more frequent of a candidate's two sentences.
int64_t repeats_of(uint64_t key, const Candidate& candidate, const PairCounts& counts) {
  return std::max(counts.at(key), counts.at(candidate.target_key));
}

/// Maximum of repeats_of() for a pair to be held out.
int64_t most_repeats(const SmallestKeys& sample, const PairCounts& counts) {
  std::vector<int64_t> repeats;
  std::unordered_set<uint64_t> targets;  // so that one frequent target counts once
  for (const auto& [key, candidate] : sample.candidates()) {
    if (!targets.insert(candidate.target_key).second) continue;
    repeats.push_back(repeats_of(key, candidate, counts));
  }
  const auto median = repeats.begin() + static_cast<std::ptrdiff_t>(repeats.size() / 2);
  std::nth_element(repeats.begin(), median, repeats.end());
  return kMaxRepeats * *median;
}

/// Divides the candidates in the order of their keys.
void choose(const HoldOutRequest& request, const SmallestKeys& sample, size_t size,
            HeldOutPairs& chosen) {
  const auto counts = count_pairs(request, sample);
  const auto most = most_repeats(sample, counts);
  auto left = sample.pairs() / kMaxShare;
  std::unordered_set<uint64_t> used;
  for (const auto& [key, candidate] : sample.candidates()) {
    const auto& pair = candidate.pair;
    if (candidate.target_key == 0 || repeats_of(key, candidate, counts) > most) continue;
    if (request.taken.contains(pair.source) || request.taken.contains(pair.target)) continue;
    // The choice of the set depends only on the sentence.
    const bool for_test = request.test && (!request.validation || mix_bits(key) % 2 == 1);
    auto& set = for_test ? chosen.test : chosen.validation;
    // A sentence may be the source of one pair and the target of another.
    if (set.size() == size || used.count(key) + used.count(candidate.target_key) > 0) continue;
    left -= counts.at(key);
    if (candidate.target_key != key) left -= counts.at(candidate.target_key) - 1;
    if (left < 0) return;
    used.insert({key, candidate.target_key});
    const auto marker = language_marker(candidate.language);
    set.push_back({marker + pair.source, pair.target});
  }
}

/// Such as an entry of a dictionary. The length of a side in a script without spaces does not say
/// whether it is one word; the other side's may.
bool is_single_word(std::string_view source, std::string_view target) {
  constexpr std::string_view kSpaces = " \t";
  for (auto* side : {&source, &target}) {
    *side = trimmed(*side, kSpaces);
    if (side->find_first_of(kSpaces) != std::string_view::npos) return false;
  }
  return number_of_words(to_code_points(source)) <= 1 ||
         number_of_words(to_code_points(target)) <= 1;
}

/// Fewer are too few for request.pairs.
int64_t sentences_for(const HoldOutRequest& request) {
  return kMaxShare * (request.validation && request.test ? 2 : 1) * request.pairs;
}

/// Samples the pairs of more than one word, unless they are too few for the sets.
SmallestKeys sample_pairs(const HoldOutRequest& request, size_t size) {
  SmallestKeys sentences(size);
  for_each_pair_of(request, [&](const auto& source, const auto& target, const auto& language) {
    if (!is_single_word(source, target)) sentences.offer(source, target, language);
  });
  const bool enough = request.pairs < 0 ? held_out_size(sentences.sentences()) > 0
                                        : sentences.sentences() >= sentences_for(request);
  if (enough) return sentences;
  SmallestKeys all(size);
  for_each_pair_of(request, [&](const auto& source, const auto& target, const auto& language) {
    all.offer(source, target, language);
  });
  return all;
}

int64_t smallest_set(const HoldOutRequest& request, const HeldOutPairs& chosen) {
  const auto validation = request.validation ? chosen.validation.size() : chosen.test.size();
  const auto test = request.test ? chosen.test.size() : chosen.validation.size();
  return static_cast<int64_t>(std::min(validation, test));
}

void require_possible(const HoldOutRequest& request, const HeldOutPairs& chosen) {
  if (smallest_set(request, chosen) >= request.pairs) return;
  const bool one_text = request.sources == request.targets;
  throw Error(std::to_string(request.pairs) + (one_text ? " lines" : " pairs") +
              " for each held-out set are too many" +
              (chosen.source_sentences < sentences_for(request)
                   ? " for a corpus of " + std::to_string(chosen.source_sentences) +
                         (one_text ? " different sentences" : " different source sentences")
                   : ": " + few_possible(chosen)) +
              "; lower the number");
}

std::map<std::string, std::string> own_held_out_texts(const DataConfig& data) {
  std::map<std::string, std::string> texts;
  if (data.hold_out <= 0) return texts;
  for (const auto& [name, path] : {std::pair{"validation source text", data.valid_source},
                                   {"validation target text", data.valid_target},
                                   {"test source text", data.test_source},
                                   {"test target text", data.test_target}}) {
    if (!path.empty()) texts[name] = path;
  }
  return texts;
}

}  // namespace

int64_t held_out_size(int64_t source_sentences) {
  const auto root = static_cast<int64_t>(5 * std::sqrt(static_cast<double>(source_sentences)));
  const auto size = std::min({source_sentences / 20, root, kMaxPairs});
  return size < kFewestPairs ? 0 : size;
}

std::string few_possible(const HeldOutPairs& pairs) {
  return "only " + counted(pairs.possible, "pair") +
         " can be held out, because other sources or targets repeat too often, are too long, "
         "have no letters or are in other sets";
}

HeldOutPairs hold_out(const HoldOutRequest& request) {
  const bool by_size = request.pairs < 0;
  const auto sample = sample_pairs(
      request,
      by_size ? kCandidates
              : std::max(kCandidates, kCandidatesPerPair * static_cast<size_t>(request.pairs)));
  HeldOutPairs chosen;
  chosen.source_sentences = sample.sentences();
  const auto size = by_size ? held_out_size(chosen.source_sentences) : request.pairs;
  if (size > 0 && chosen.source_sentences > 0) {
    choose(request, sample, static_cast<size_t>(size), chosen);
  }
  chosen.possible = static_cast<int64_t>(chosen.validation.size() + chosen.test.size());
  if (!by_size) require_possible(request, chosen);
  if (by_size && smallest_set(request, chosen) < kFewestPairs) {
    chosen.validation.clear();
    chosen.test.clear();
  }
  return chosen;
}

std::map<std::string, std::string> left_out_texts(const DataConfig& data) {
  auto texts = own_held_out_texts(data);
  for (size_t i = 0; i < data.exclude.size(); ++i) {
    texts["excluded text" + (i == 0 ? "" : " " + std::to_string(i + 1))] = data.exclude[i];
  }
  return texts;
}

HeldOutSentences left_out_sentences(const DataConfig& data) {
  HeldOutSentences sentences;
  // The lines of either text may begin with their target language.
  for (const auto& path : data.exclude) {
    for (const auto& line : read_lines(path)) {
      sentences.insert(line);
      sentences.insert(split_marker(line).text);
    }
  }
  for (const auto& [name, path] : own_held_out_texts(data)) {
    for (const auto& line : read_lines(path)) {
      const bool is_marked = !data.train_languages.empty();
      sentences.insert(is_marked ? split_marker(line).text : std::string_view(line));
    }
  }
  return sentences;
}

}  // namespace nmt
