#include "shortlist/lexical_model.h"

#include <algorithm>

#include "text/special_tokens.h"

namespace nmt {
namespace {

constexpr int32_t kEmptyWord = kPadId;

uint64_t key_of(int32_t source, int32_t target) {
  return uint64_t{static_cast<uint32_t>(source)} << 32 | static_cast<uint32_t>(target);
}

int32_t source_of(uint64_t key) { return static_cast<int32_t>(key >> 32); }
int32_t target_of(uint64_t key) { return static_cast<int32_t>(key & 0xFFFFFFFF); }

}  // namespace

LexicalModel::LexicalModel(const PairWalk& pairs, int iterations, size_t max_links) {
  find_links(pairs, max_links);
  for (int i = 0; i < iterations; ++i) {
    pairs([this](TokenSpan source, TokenSpan target) { expect(source, target); });
    maximize();
  }
}

void LexicalModel::find_links(const PairWalk& pairs, size_t max_links) {
  std::vector<uint64_t> seen;
  pairs([&](TokenSpan source, TokenSpan target) {
    for (const int32_t to : target) {
      seen.push_back(key_of(kEmptyWord, to));
      for (const int32_t from : source) seen.push_back(key_of(from, to));
    }
    if (seen.size() >= max_links) add_links(seen, max_links);
  });
  add_links(seen, max_links);
  begins_ = {0};
  for (size_t i = 0; i < links_.size(); ++i) {
    begins_.resize(static_cast<size_t>(source_of(links_[i].key)) + 2, i);
    begins_.back() = i + 1;
    links_[i].count = 0.0F;
  }
}

/// Merges the links seen into links_; if there are then more than max_links, drops the rarest ones,
/// except those of the empty word.
void LexicalModel::add_links(std::vector<uint64_t>& seen, size_t max_links) {
  std::sort(seen.begin(), seen.end());
  std::vector<Link> merged;
  auto old = links_.begin();
  for (auto first = seen.begin(); first != seen.end();) {
    const auto last = std::upper_bound(first, seen.end(), *first);
    while (old != links_.end() && old->key < *first) merged.push_back(*old++);
    merged.push_back({*first, 1.0F, static_cast<float>(last - first)});
    if (old != links_.end() && old->key == *first) merged.back().count += old++->count;
    first = last;
  }
  merged.insert(merged.end(), old, links_.end());
  for (float least = 1.0F; merged.size() > max_links; least *= 2.0F) {
    const auto is_rare = [&](const Link& link) {
      return link.count <= least && source_of(link.key) != kEmptyWord;
    };
    merged.erase(std::remove_if(merged.begin(), merged.end(), is_rare), merged.end());
  }
  links_ = std::move(merged);
  seen.clear();
}

/// The E step of a pair: shares each target token among the source tokens and the empty word.
void LexicalModel::expect(TokenSpan source, TokenSpan target) {
  for (const int32_t to : target) {
    of_target_.assign(1, find(kEmptyWord, to));
    for (const int32_t from : source) of_target_.push_back(find(from, to));
    float sum = 0.0F;
    for (const auto* link : of_target_) sum += link == nullptr ? 0.0F : link->probability;
    if (sum == 0.0F) continue;
    for (auto* link : of_target_) {
      if (link != nullptr) link->count += link->probability / sum;
    }
  }
}

/// The M step.
void LexicalModel::maximize() {
  for (size_t source = 0; source + 1 < begins_.size(); ++source) {
    double sum = 0.0;
    for (size_t i = begins_[source]; i < begins_[source + 1]; ++i) sum += double{links_[i].count};
    for (size_t i = begins_[source]; i < begins_[source + 1]; ++i) {
      links_[i].probability = static_cast<float>(double{links_[i].count} / sum);
      links_[i].count = 0.0F;
    }
  }
}

/// The begin and end of a source token's links.
std::pair<size_t, size_t> LexicalModel::links_of(int32_t source) const {
  const auto place = static_cast<size_t>(source);
  if (place + 1 >= begins_.size()) return {0, 0};
  return {begins_[place], begins_[place + 1]};
}

LexicalModel::Link* LexicalModel::find(int32_t source, int32_t target) {
  const auto [begin, end] = links_of(source);
  auto* const last = links_.data() + end;
  auto* const found =
      std::lower_bound(links_.data() + begin, last, key_of(source, target),
                       [](const Link& link, uint64_t key) { return link.key < key; });
  return found != last && target_of(found->key) == target ? found : nullptr;
}

double LexicalModel::probability(int32_t source, int32_t target) const {
  const auto* link = const_cast<LexicalModel*>(this)->find(source, target);
  return link == nullptr ? 0.0 : double{link->probability};
}

std::vector<int32_t> LexicalModel::best(int32_t source, int64_t count) const {
  const auto [begin, end] = links_of(source);
  std::vector<Link> own(links_.data() + begin, links_.data() + end);
  std::stable_sort(own.begin(), own.end(),
                   [](const Link& a, const Link& b) { return a.probability > b.probability; });
  own.resize(std::min(own.size(), static_cast<size_t>(count)));
  std::vector<int32_t> tokens;
  tokens.reserve(own.size());
  for (const auto& link : own) tokens.push_back(target_of(link.key));
  return tokens;
}

}  // namespace nmt
