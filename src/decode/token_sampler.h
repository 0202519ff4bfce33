#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "decode/search_options.h"
#include "decode/sentence_beam.h"

namespace nmt {

/// The key of a sentence's samples. Draws depend only on the seed, the source, the number of the
/// sample and the step, not on the batch, the order of sentences or the threads, and on the engine
/// only through rounding. Equal sentences get equal samples.
uint64_t sampling_key(uint64_t seed, const std::vector<int32_t>& source);

/// Draws tokens, for one thread: the inverse of the cumulative distribution in the vocabulary's
/// order, after temperature, top-k and top-p.
class TokenSampler {
 public:
  /// The options, with `sampling`, must outlive this.
  TokenSampler(const SearchOptions& options, int64_t vocabulary_size)
      : options_(options), row_(static_cast<size_t>(vocabulary_size)) {}

  /// A continuation of each open sample of a beam, for SentenceBeam::advance(). `key` is that of
  /// the samples; copy_logits(k, row) writes the logits [V] after open hypothesis k to `row`.
  /// Valid until the next call.
  const std::vector<Candidate>& draw(
      const SentenceBeam& beam, uint64_t key,
      const std::function<void(int64_t k, float* row)>& copy_logits,
      const std::function<double(int64_t k, int32_t token)>& log_probability);

 private:
  int32_t draw_token(Ending ending, double uniform);
  void exclude(Ending ending);
  void keep_top_k();
  void keep_top_p();

  const SearchOptions& options_;
  std::vector<float> row_;                            // [V]
  std::vector<float> sorted_;                         // [V], for top-k only
  std::vector<std::pair<float, int32_t>> likeliest_;  // for top-p only
  std::vector<Candidate> candidates_;
};

}  // namespace nmt
