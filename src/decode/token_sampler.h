#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "decode/search_options.h"

namespace nmt {

/// The key of a sentence's samples. Draws depend only on the seed, the source, the number of the
/// sample and the step, not on the batch, the order of sentences or the threads, and on the engine
/// only through rounding. Equal sentences get equal samples.
uint64_t sampling_key(uint64_t seed, const std::vector<int32_t>& source);

/// The random number in [0, 1) for one step of one sample.
double sampling_uniform(uint64_t key, int64_t sample, int64_t step);

/// Draws tokens, for one thread: the inverse of the cumulative distribution in the vocabulary's
/// order, after temperature, top-k and top-p.
class TokenSampler {
 public:
  /// The options, with `sampling`, must outlive this.
  TokenSampler(const SearchOptions& options, int64_t vocabulary_size)
      : options_(options), row_(static_cast<size_t>(vocabulary_size)) {}

  /// [V]  to be filled with logits; draw() overwrites them.
  float* row() { return row_.data(); }

  /// The token at `uniform`, in [0, 1), of the cumulative distribution; EOS if nothing is allowed.
  int32_t draw(Ending ending, double uniform);

 private:
  void exclude(Ending ending);
  void keep_top_k();
  void keep_top_p();

  const SearchOptions& options_;
  std::vector<float> row_;                            // [V]
  std::vector<float> sorted_;                         // [V], for top-k only
  std::vector<std::pair<float, int32_t>> likeliest_;  // for top-p only
};

}  // namespace nmt
