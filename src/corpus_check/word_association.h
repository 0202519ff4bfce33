#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nmt {

/// A model of word translation, learned from the corpus itself: IBM Model 1 (Brown
/// et al. 1993) in both directions over the beginnings of words and over punctuation. Keeps at most
/// 1.5 million word pairs; if there are more, only those that occur at least twice.
class WordAssociation {
 public:
  struct Pair {
    std::vector<uint32_t> source;  // ids of words
    std::vector<uint32_t> target;
  };
  /// The word ids of a pair. New words are added to the dictionary if `learn`, otherwise left out.
  Pair words_of(std::string_view source, std::string_view target, bool learn);

  /// Trains from scratch on these pairs, whose words must be in the dictionary.
  void learn(const std::vector<const Pair*>& pairs);

  /// log p(side | other side) − log p(side) in both directions, summed over the words, in nats.
  struct Evidence {
    double target_given_source = 0.0;
    double source_given_target = 0.0;
  };
  Evidence evidence(const Pair& pair) const;

  /// `times` = −1 removes a pair's contribution to the counts, so that the pair is not evidence for
  /// itself; `times` = 1 adds it again.
  void contribute(const Pair& pair, float times);

 private:
  static constexpr size_t kDirections = 2;  // target given source, source given target

  struct Link {
    uint64_t key = 0;                // of the word pair; 0: free slot
    float times = 0;                 // pairs in which both words occur
    float before[kDirections] = {};  // expected counts of the previous round
    float now[kDirections] = {};     // expected counts of the current or last round
  };
  struct Word {
    float count = 0;   // on the side that is given
    float before = 0;  // expected counts of its links, likewise
    float now = 0;
  };

  std::vector<uint32_t> ids_of(std::string_view line, bool learn);
  const Link* find(uint32_t source, uint32_t target) const;
  void add(uint32_t source, uint32_t target);
  void count_links(const std::vector<const Pair*>& pairs);
  void estimate(const Pair& pair, bool first, float times);
  double alone(size_t direction, uint32_t word) const;
  double share(const Link& link, size_t direction, uint32_t given) const;
  double evidence_of(size_t direction, const Pair& pair,
                     const std::vector<const Link*>& links) const;

  std::unordered_map<std::string, uint32_t> ids_;
  std::vector<Word> words_[kDirections];
  double totals_[kDirections] = {};
  std::vector<Link> links_;
  size_t num_links_ = 0;
  float min_times_ = 1;  // links with fewer are ignored
};

}  // namespace nmt
