#include "data/corpus_mixture.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "numbers/random.h"

namespace nmt {
namespace {

// Random streams of the seed, distinct from those that epochs use.
constexpr uint64_t kOrderStream = 0x6f72646572;
constexpr uint64_t kPairsStream = 0x7061697273;

uint64_t seed_of(uint64_t seed, uint64_t stream, uint64_t first, uint64_t second) {
  return Random(Random(Random(seed, stream).next(), first).next(), second).next();
}

}  // namespace

std::vector<double> temperature_weights(const std::vector<ParallelCorpus>& corpora,
                                        double temperature) {
  std::vector<double> weights;
  weights.reserve(corpora.size());
  for (const auto& corpus : corpora) {
    weights.push_back(std::pow(static_cast<double>(corpus.size()), 1.0 / temperature));
  }
  return weights;
}

CorpusMixture::CorpusMixture(std::vector<ParallelCorpus> corpora,
                             const std::vector<double>& weights)
    : corpora_(std::move(corpora)) {
  const auto total = report().kept;
  const double all_weights = std::accumulate(weights.begin(), weights.end(), 0.0);
  double weight = 0.0;
  int64_t pairs = 0;
  for (size_t c = 0; c < corpora_.size(); ++c) {
    pairs += corpora_[c].size();
    if (!weights.empty()) weight += weights[c];
    // Rounds the ends of the shares, not their sizes, so that they add up to the total.
    ends_.push_back(weights.empty()
                        ? pairs
                        : std::llround(static_cast<double>(total) * (weight / all_weights)));
  }
  ends_.back() = total;
}

int64_t CorpusMixture::draws_from(size_t corpus) const {
  return ends_[corpus] - (corpus == 0 ? 0 : ends_[corpus - 1]);
}

double CorpusMixture::target_tokens() const {
  double tokens = 0;
  for (size_t c = 0; c < corpora_.size(); ++c) {
    const auto report = corpora_[c].report();
    const auto all = static_cast<double>(report.target_tokens + report.kept);
    tokens += static_cast<double>(draws_from(c)) * all / static_cast<double>(report.kept);
  }
  return tokens;
}

CorpusReport CorpusMixture::report() const {
  CorpusReport sum;
  for (const auto& corpus : corpora_) sum += corpus.report();
  return sum;
}

void CorpusMixture::release_pages() const {
  for (const auto& corpus : corpora_) corpus.release_pages();
}

EpochDraws::EpochDraws(const CorpusMixture& mixture, uint64_t seed, int64_t epoch)
    : mixture_(mixture),
      seed_(seed),
      epoch_(static_cast<uint64_t>(epoch - 1)),
      order_(static_cast<uint64_t>(mixture.size()), seed_of(seed, kOrderStream, epoch_, 0)) {}

MixedPair EpochDraws::operator[](int64_t index) const {
  const auto number = static_cast<int64_t>(order_(static_cast<uint64_t>(index)));
  const auto& ends = mixture_.ends_;
  const auto corpus =
      static_cast<size_t>(std::upper_bound(ends.begin(), ends.end(), number) - ends.begin());
  const auto draws = static_cast<uint64_t>(mixture_.draws_from(corpus));
  const auto size = static_cast<uint64_t>(mixture_.corpora_[corpus].size());
  // This draw's index among all draws from the corpus since training began: the corpus is passed
  // over again and again, each time in a new order.
  const uint64_t since = epoch_ * draws + (static_cast<uint64_t>(number) + draws -
                                           static_cast<uint64_t>(ends[corpus]));
  const Permutation pairs(size, seed_of(seed_, kPairsStream, corpus, since / size));
  return {corpus, static_cast<int64_t>(pairs(since % size))};
}

}  // namespace nmt
