#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "data/corpus_shard.h"

namespace nmt {

/// Calls `use` with both sides of each pair of a corpus; every call visits the same pairs in the
/// same order.
using PairWalk = std::function<void(const std::function<void(TokenSpan, TokenSpan)>& use)>;

/// IBM Model 1 (Brown et al. 1993, section 4.1): t(target | source) of tokens, estimated by EM from
/// a parallel corpus. Each source sentence begins with an empty word, of id kPadId.
///
/// Keeps at most kMaxLinks pairs of co-occurring tokens: if there are more, the rarest are dropped,
/// but none with the empty word. Memory use is at most 0.7 GB, whatever the corpus's size.
class LexicalModel {
 public:
  static constexpr size_t kMaxLinks = size_t{1} << 24;

  LexicalModel(const PairWalk& pairs, int iterations, size_t max_links = kMaxLinks);

  /// t(target | source); 0 for tokens that do not occur together.
  double probability(int32_t source, int32_t target) const;

  /// The `count` target tokens with the largest t(target | source), likeliest first.
  std::vector<int32_t> best(int32_t source, int64_t count) const;

 private:
  struct Link {
    uint64_t key = 0;  // source and target
    float probability = 1.0F;
    float count = 0.0F;  // of occurrences, then expected
  };

  void find_links(const PairWalk& pairs, size_t max_links);
  void add_links(std::vector<uint64_t>& seen, size_t max_links);
  void expect(TokenSpan source, TokenSpan target);
  void maximize();
  std::pair<size_t, size_t> links_of(int32_t source) const;
  Link* find(int32_t source, int32_t target);

  std::vector<Link> links_;       // by key
  std::vector<size_t> begins_;    // of each source token's links; then the end of the last one's
  std::vector<Link*> of_target_;  // of one target token in a pair
};

}  // namespace nmt
