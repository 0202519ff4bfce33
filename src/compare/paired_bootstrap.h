#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace nmt {

/// Sufficient statistics of a metric for one sentence. Those of a corpus are the sums over its
/// sentences, and its score is a function of them, so a resampled corpus costs only additions.
using SentenceCounts = std::vector<int64_t>;
using ScoreOfCounts = std::function<double(const SentenceCounts& sums)>;

struct BootstrapResult {
  double a = 0.0;  // scores of the two systems
  double b = 0.0;
  double low = 0.0;  // 95 % interval of b − a over the resampled corpora
  double high = 0.0;
  double p = 1.0;       // probability of a difference this large by chance
  int64_t a_above = 0;  // resampled corpora where a scores higher
  int64_t b_above = 0;  // likewise
};

/// Paired bootstrap resampling (Koehn 2004): draws `num_samples` corpora with replacement, the same
/// sentences for both systems. p is sacreBLEU's (--paired-bs): (n + 1)/(num_samples + 1), where n
/// counts the samples whose |difference|, minus the mean |difference| of all samples, exceeds the
/// |difference| on the whole corpus; 1 if the latter is 0. `a` and `b`: each sentence's counts. The
/// result is a function of the seed.
BootstrapResult paired_bootstrap(const std::vector<SentenceCounts>& a,
                                 const std::vector<SentenceCounts>& b, const ScoreOfCounts& score,
                                 int64_t num_samples, uint64_t seed);

}  // namespace nmt
