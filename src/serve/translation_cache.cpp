#include "serve/translation_cache.h"

#include <algorithm>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace nmt {
namespace {

constexpr size_t kAllocationOverhead = 16;  // bytes

// Memory beyond an object's own size.

size_t bytes_beyond(const std::string& text) {
  static const size_t inside = std::string().capacity();
  return text.capacity() > inside ? text.capacity() + kAllocationOverhead : 0;
}

size_t bytes_beyond(const TranslationCandidate& candidate);

template <typename T>
size_t bytes_beyond(const std::vector<T>& values) {
  size_t bytes = values.capacity() * sizeof(T) + kAllocationOverhead;
  if constexpr (!std::is_trivially_copyable_v<T>) {
    for (const auto& value : values) bytes += bytes_beyond(value);
  }
  return bytes;
}

size_t bytes_beyond(const TranslationCandidate& candidate) {
  return bytes_beyond(candidate.text) + bytes_beyond(candidate.tokens) +
         bytes_beyond(candidate.token_log_probabilities) + bytes_beyond(candidate.attention) +
         bytes_beyond(candidate.words) + bytes_beyond(candidate.word_log_probabilities) +
         bytes_beyond(candidate.word_attention) + bytes_beyond(candidate.alignment) +
         bytes_beyond(candidate.warnings);
}

size_t bytes_beyond(const Translation& translation) {
  return bytes_beyond(translation.text) + bytes_beyond(translation.source_tokens) +
         bytes_beyond(translation.candidates) + bytes_beyond(translation.source_words) +
         bytes_beyond(translation.unknown_words);
}

size_t bytes_beyond(const CacheKey& key) {
  return bytes_beyond(key.model) + bytes_beyond(key.sentence.text) +
         bytes_beyond(key.sentence.guide.prefix) + bytes_beyond(key.sentence.guide.phrases);
}

/// Options are not hashed: requests rarely differ only in them.
size_t hash_of(const CacheKey& key) {
  const auto hash = std::hash<std::string>();
  return hash(key.sentence.text) ^ (31 * hash(key.sentence.guide.prefix));
}

bool same(const CacheKey& a, const CacheKey& b) {
  return a.sentence.text == b.sentence.text && a.sentence.guide.prefix == b.sentence.guide.prefix &&
         a.sentence.guide.phrases == b.sentence.guide.phrases && a.model == b.model &&
         a.options == b.options;
}

}  // namespace

TranslationCache::Entries::iterator TranslationCache::position(const CacheKey& key, size_t hash) {
  const auto [begin, end] = by_hash_.equal_range(hash);
  const auto found =
      std::find_if(begin, end, [&](const auto& entry) { return same(entry.second->key, key); });
  return found == end ? entries_.end() : found->second;
}

std::optional<Translation> TranslationCache::find(const CacheKey& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = position(key, hash_of(key));
  if (found == entries_.end()) {
    ++counts_.misses;
    return std::nullopt;
  }
  ++counts_.hits;
  entries_.splice(entries_.begin(), entries_, found);
  return found->translation;
}

void TranslationCache::insert(CacheKey&& key, const Translation& translation) {
  const size_t hash = hash_of(key);
  Entries one;
  one.push_back({std::move(key), translation, hash, 0});
  auto& entry = one.front();
  // Including the nodes of the list and the index.
  entry.bytes = sizeof(Entry) + 8 * sizeof(void*) + 2 * kAllocationOverhead +
                bytes_beyond(entry.key) + bytes_beyond(entry.translation);
  if (entry.bytes > max_bytes_) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (position(entry.key, hash) != entries_.end()) return;  // another request was faster
  counts_.bytes += entry.bytes;
  entries_.splice(entries_.begin(), one);
  by_hash_.emplace(hash, entries_.begin());
  while (counts_.bytes > max_bytes_) forget_last();
}

void TranslationCache::forget_last() {
  const auto last = std::prev(entries_.end());
  const auto [begin, end] = by_hash_.equal_range(last->hash);
  by_hash_.erase(std::find_if(begin, end, [&](const auto& entry) { return entry.second == last; }));
  counts_.bytes -= last->bytes;
  entries_.erase(last);
}

TranslationCache::Counts TranslationCache::counts() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return counts_;
}

}  // namespace nmt
