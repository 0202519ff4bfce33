#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "checkpoint/model_stamp.h"
#include "serve/sentence.h"
#include "translate/translator.h"

namespace nmt {

/// All that a translation depends on.
struct CacheKey {
  ModelStamp model;  // of the files that it was read from
  Sentence sentence;
  TranslationOptions options;
};

/// Caches translations and evicts the least recently used ones first. Thread-safe.
class TranslationCache {
 public:
  /// Uses about `max_bytes` of memory; 0 caches nothing.
  explicit TranslationCache(size_t max_bytes) : max_bytes_(max_bytes) {}

  std::optional<Translation> find(const CacheKey& key);
  void insert(CacheKey&& key, const Translation& translation);

  struct Counts {
    int64_t hits = 0;
    int64_t misses = 0;
    size_t bytes = 0;
  };
  Counts counts() const;
  bool is_enabled() const { return max_bytes_ > 0; }

 private:
  struct Entry {
    CacheKey key;
    Translation translation;
    size_t hash;
    size_t bytes;
  };
  using Entries = std::list<Entry>;
  Entries::iterator position(const CacheKey& key, size_t hash);
  void forget_last();

  const size_t max_bytes_;
  mutable std::mutex mutex_;  // guards what follows
  Entries entries_;           // the most recently used first
  std::unordered_multimap<size_t, Entries::iterator> by_hash_;
  Counts counts_;
};

}  // namespace nmt
