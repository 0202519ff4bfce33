#include "corpus_check/word_association.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "numbers/mix_bits.h"
#include "unicode/code_points.h"
#include "unicode/scripts.h"

namespace nmt {
namespace {

constexpr size_t kMaxLineWords = 80;  // of a line
constexpr size_t kMaxLinks = 1500000;
constexpr size_t kSeenBits = size_t{1} << 27;
constexpr int kRounds = 7;          // of EM
constexpr int kFewRounds = 4;       // of a large corpus
constexpr double kSmoothing = 2.0;  // pseudo-counts of the words' frequencies
constexpr double kCopied = 0.05;    // probability that a word is translated by itself

uint64_t key_of(uint32_t source, uint32_t target) {
  return (uint64_t{source} + 1) << 32 | (uint64_t{target} + 1);
}

/// Characters of a word's stem by which words are compared, since endings vary; 1 in Chinese and
/// kana.
size_t stem_length(char32_t letter) {
  switch (script_of(letter)) {
    case Script::kHan:
    case Script::kKana:
      return 1;
    case Script::kHangul:
      return 2;
    case Script::kThai:
      return 3;
    default:
      return 5;
  }
}

/// Calls `use` for each word's stem, number and punctuation mark.
template <typename Use>
void for_each_word(std::string_view line, const Use& use) {
  std::u32string word;
  std::u32string rest;
  size_t words = 0;
  const auto flush = [&] {
    if (word.empty()) return;
    if (++words <= kMaxLineWords) use(word);
    // The last two syllables of a Korean word: its particle or ending.
    if (!rest.empty() && ++words <= kMaxLineWords)
      use(U"+" + rest.substr(rest.size() > 2 ? rest.size() - 2 : 0));
    word.clear();
    rest.clear();
  };
  for (const char32_t code : to_code_points(to_lower(line))) {
    const bool number = is_number(code);
    if (!number && !is_letter(code)) {
      flush();
      if (!is_whitespace(code) && (is_punctuation(code) || is_symbol(code)) &&
          ++words <= kMaxLineWords) {
        use(std::u32string(1, code));
      }
      continue;
    }
    const size_t longest = number ? 20 : stem_length(code);
    const bool joined = longest > 1 && longest < 5;
    if (word.size() < longest) {
      word += code;
    } else if (joined) {
      rest += code;
    }
    if (longest == 1) flush();
  }
  flush();
}

}  // namespace

std::vector<uint32_t> WordAssociation::ids_of(std::string_view line, bool learn) {
  std::vector<uint32_t> ids;
  for_each_word(line, [&](const std::u32string& stem) {
    const auto text = to_utf8(stem);
    auto found = ids_.find(text);
    if (found == ids_.end()) {
      if (!learn) return;
      found = ids_.emplace(text, static_cast<uint32_t>(ids_.size())).first;
    }
    ids.push_back(found->second);
  });
  return ids;
}

WordAssociation::Pair WordAssociation::words_of(std::string_view source, std::string_view target,
                                                bool learn) {
  return {ids_of(source, learn), ids_of(target, learn)};
}

const WordAssociation::Link* WordAssociation::find(uint32_t source, uint32_t target) const {
  const auto key = key_of(source, target);
  for (size_t place = mix_bits(key) % links_.size();; place = (place + 1) % links_.size()) {
    if (links_[place].key == key) return &links_[place];
    if (links_[place].key == 0) return nullptr;
  }
}

void WordAssociation::add(uint32_t source, uint32_t target) {
  if (num_links_ == links_.size() / 4 * 3 || find(source, target) != nullptr) return;
  ++num_links_;
  size_t place = mix_bits(key_of(source, target)) % links_.size();
  while (links_[place].key != 0) place = (place + 1) % links_.size();
  links_[place].key = key_of(source, target);
}

/// Most links occur once and are noise. If they are too many, one bit per link records whether
/// it was seen before. A quarter of the places stays free for quick search.
void WordAssociation::count_links(const std::vector<const Pair*>& pairs) {
  size_t possible = 0;
  for (const auto* pair : pairs) possible += pair->source.size() * pair->target.size();
  const bool all = possible <= kMaxLinks;
  links_.assign(std::min(possible, kMaxLinks) / 3 * 4 + 16, Link());
  num_links_ = 0;
  min_times_ = all ? 1 : 2;
  std::vector<bool> seen(all ? 1 : kSeenBits);
  for (const auto* pair : pairs) {
    for (const auto source : pair->source) {
      for (const auto target : pair->target) {
        auto bit = seen[mix_bits(key_of(source, target)) % seen.size()];
        if (all || bit) add(source, target);
        bit = true;
      }
    }
  }
}

/// Adds a pair's expected counts to the current round of EM; `first`: uniform probabilities.
void WordAssociation::estimate(const Pair& pair, bool first, float times) {
  std::vector<Link*> links;
  for (const auto source : pair.source) {
    for (const auto target : pair.target) links.push_back(const_cast<Link*>(find(source, target)));
  }
  for (auto* link : links) {
    if (link != nullptr) link->times += times;
  }
  const size_t columns = pair.target.size();
  for (size_t direction = 0; direction < kDirections; ++direction) {
    const auto& given = direction == 0 ? pair.source : pair.target;
    const auto& of = direction == 0 ? pair.target : pair.source;
    const auto link_of = [&](size_t i, size_t j) {
      return direction == 0 ? links[i * columns + j] : links[j * columns + i];
    };
    auto& given_words = words_[direction];
    std::vector<double> shares(given.size());
    for (size_t j = 0; j < of.size(); ++j) {
      double sum = first ? 1.0 : alone(direction, of[j]);
      for (size_t i = 0; i < given.size(); ++i) {
        const auto* link = link_of(i, j);
        shares[i] = link == nullptr ? 0.0 : first ? 1.0 : share(*link, direction, given[i]);
        sum += shares[i];
      }
      for (size_t i = 0; i < given.size(); ++i) {
        auto* link = link_of(i, j);
        if (link == nullptr) continue;
        const auto part = times * static_cast<float>(shares[i] / sum);
        link->now[direction] += part;
        given_words[given[i]].now += part;
      }
    }
  }
}

void WordAssociation::learn(const std::vector<const Pair*>& pairs) {
  for (size_t side = 0; side < kDirections; ++side) {
    words_[side].assign(ids_.size(), Word());
    totals_[side] = 0;
    for (const auto* pair : pairs) {
      const auto& words = side == 0 ? pair->source : pair->target;
      for (const auto word : words) ++words_[side][word].count;
      totals_[side] += static_cast<double>(words.size());
    }
  }
  count_links(pairs);
  const int rounds = min_times_ > 1 ? kFewRounds : kRounds;
  for (int round = 0; round < rounds; ++round) {
    for (auto& link : links_) {
      link.times = 0;
      std::copy(std::begin(link.now), std::end(link.now), std::begin(link.before));
      std::fill(std::begin(link.now), std::end(link.now), 0.0F);
    }
    for (auto& words : words_) {
      for (auto& word : words) word.before = std::exchange(word.now, 0.0F);
    }
    for (const auto* pair : pairs) estimate(*pair, round == 0, 1);
  }
}

/// Unigram probability of a word; a word never seen counts as half an occurrence.
double WordAssociation::alone(size_t direction, uint32_t word) const {
  return std::max(double{words_[1 - direction][word].count}, 0.5) / totals_[1 - direction];
}

/// Translation probability of a link by the previous round of EM.
double WordAssociation::share(const Link& link, size_t direction, uint32_t given) const {
  return double{link.before[direction]} / std::max(double{words_[direction][given].before}, 1e-9);
}

double WordAssociation::evidence_of(size_t direction, const Pair& pair,
                                    const std::vector<const Link*>& links) const {
  const auto& given = direction == 0 ? pair.source : pair.target;
  const auto& of = direction == 0 ? pair.target : pair.source;
  double total = 0;
  for (size_t j = 0; j < of.size(); ++j) {
    const double frequency = alone(direction, of[j]);
    double sum = frequency;  // from the empty word
    for (size_t i = 0; i < given.size(); ++i) {
      const auto* link =
          direction == 0 ? links[i * pair.target.size() + j] : links[j * pair.target.size() + i];
      const bool counts = link != nullptr && link->times > min_times_ - 0.5F;
      const double linked = counts ? std::max(double{link->now[direction]}, 0.0) : 0.0;
      const double all = std::max(double{words_[direction][given[i]].now}, 0.0);
      const double translated = (linked + kSmoothing * frequency) / (all + kSmoothing);
      sum += (1 - kCopied) * translated + (given[i] == of[j] ? kCopied : 0.0);
    }
    total += std::log(sum / ((1.0 + static_cast<double>(given.size())) * frequency));
  }
  return total;
}

WordAssociation::Evidence WordAssociation::evidence(const Pair& pair) const {
  std::vector<const Link*> links;
  for (const auto source : pair.source) {
    for (const auto target : pair.target) links.push_back(find(source, target));
  }
  return {evidence_of(0, pair, links), evidence_of(1, pair, links)};
}

void WordAssociation::contribute(const Pair& pair, float times) {
  estimate(pair, false, times);
  for (size_t side = 0; side < kDirections; ++side) {
    for (const auto word : side == 0 ? pair.source : pair.target) words_[side][word].count += times;
  }
}

}  // namespace nmt
