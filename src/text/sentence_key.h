#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>

namespace nmt {

/// A hash of a sentence's letters, marks and digits after compatibility decomposition and case
/// folding (NFKC_Casefold; Unicode Standard Annex 15): sentences that differ only in case, white
/// space, punctuation or symbols have one key. 0 for a sentence without any of these or with
/// invalid UTF-8.
uint64_t sentence_key(std::string_view sentence);

/// Sentences of validation and test sets, which training text must not contain.
class HeldOutSentences {
 public:
  /// Ignores sentences whose key is 0.
  void insert(std::string_view sentence);

  /// Whether a sentence with the same key is among them.
  bool contains(std::string_view sentence) const {
    return !keys_.empty() && contains_key(sentence_key(sentence));
  }
  bool contains_key(uint64_t key) const { return keys_.count(key) > 0; }

  /// Number of sentences with different keys.
  size_t size() const { return keys_.size(); }

  /// A hash of the set; 0 when it is empty.
  uint64_t digest() const { return digest_; }

 private:
  std::unordered_set<uint64_t> keys_;
  uint64_t digest_ = 0;
};

}  // namespace nmt
