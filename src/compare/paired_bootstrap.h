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
  double low = 0.0;  // 95 % of the resampled corpora have b − a within these
  double high = 0.0;
  double p = 1.0;       // probability of a difference this large by chance
  int64_t a_above = 0;  // of the resampled corpora, where a has the higher score
  int64_t b_above = 0;  // likewise
};

/// Koehn's paired bootstrap (2004): `num_samples` corpora are drawn with replacement, the same
/// sentences for both systems. p is defined as in sacreBLEU (--paired-bs): the share of
/// samples, (n + 1) of (num_samples + 1), whose absolute difference, less the mean of these,
/// exceeds the true one; but 1 where the true one is 0. `a` and `b` hold the counts of each
/// sentence. The same seed draws the same corpora.
BootstrapResult paired_bootstrap(const std::vector<SentenceCounts>& a,
                                 const std::vector<SentenceCounts>& b, const ScoreOfCounts& score,
                                 int64_t num_samples, uint64_t seed);

}  // namespace nmt
