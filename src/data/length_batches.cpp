#include "data/length_batches.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "numbers/random.h"

namespace nmt {
namespace {

// The mapped pages of each pair's offsets count as this program's memory until released.
constexpr int64_t kPairsBetweenReleases = 512;

bool longer(const SizedPair& a, const SizedPair& b) {
  return std::tie(a.target_length, a.source_length) > std::tie(b.target_length, b.source_length);
}

SizedPair measure(const ParallelCorpus& corpus, const MixedPair& where) {
  return {where, corpus.source(where.pair).size, corpus.target(where.pair).size};
}

/// Mean tokens per pair of the side with more tokens, EOS included.
int64_t average_tokens(const CorpusReport& report) {
  const int64_t longer_side = std::max(report.source_tokens, report.target_tokens);
  return std::max<int64_t>(longer_side / std::max<int64_t>(report.kept, 1), 1) + 1;
}

/// Pairs in a batch; an estimate if batch_size counts tokens.
int64_t pairs_of_batch(const CorpusMixture& corpora, const DataConfig& config) {
  if (config.batch_type != BatchUnit::kTokens) return config.batch_size;
  return std::max<int64_t>(config.batch_size / average_tokens(corpora.report()), 1);
}

}  // namespace

std::vector<SizedPair> LengthBatches::pairs_of(size_t batch) const {
  const auto at = [&](size_t i) { return pairs.begin() + static_cast<std::ptrdiff_t>(starts[i]); };
  return {at(batch), at(batch + 1)};
}

LengthBatches batches_by_length(std::vector<SizedPair> pairs, const DataConfig& config) {
  std::stable_sort(pairs.begin(), pairs.end(), longer);
  const bool by_tokens = config.batch_type == BatchUnit::kTokens;
  const auto limit = static_cast<size_t>(config.batch_size);
  std::vector<size_t> starts = {0};
  size_t width = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const size_t pair_width = std::max(pairs[i].source_length, pairs[i].target_length + 1);
    const size_t count = i - starts.back() + 1;
    width = std::max(width, pair_width);
    if (count > 1 && (by_tokens ? count * width > limit : count > limit)) {
      starts.push_back(i);
      width = pair_width;
    }
  }
  starts.push_back(pairs.size());
  return {std::move(pairs), std::move(starts)};
}

LengthBatches batches_by_length(const ParallelCorpus& corpus, int64_t batch_size) {
  std::vector<SizedPair> pairs;
  for (int64_t pair = 0; pair < corpus.size(); ++pair) pairs.push_back(measure(corpus, {0, pair}));
  DataConfig config;
  config.batch_size = batch_size;
  return batches_by_length(std::move(pairs), config);
}

EpochBuckets::EpochBuckets(const CorpusMixture& corpora, const DataConfig& config, uint64_t seed,
                           int64_t epoch)
    : corpora_(corpora),
      config_(config),
      draws_(corpora, seed, epoch),
      order_seed_(Random(seed, static_cast<uint64_t>(epoch)).next()),
      bucket_pairs_(pairs_of_batch(corpora, config) * config.bucket_batches) {}

int64_t EpochBuckets::size() const { return (corpora_.size() + bucket_pairs_ - 1) / bucket_pairs_; }

EpochBuckets::Bucket EpochBuckets::operator[](int64_t bucket) const {
  const int64_t begin = bucket * bucket_pairs_;
  const int64_t end = std::min(corpora_.size(), begin + bucket_pairs_);
  std::vector<SizedPair> pairs;
  for (int64_t index = begin; index < end; ++index) {
    const auto where = draws_[index];
    pairs.push_back(measure(corpora_.corpora()[where.corpus], where));
    if (index % kPairsBetweenReleases == 0) corpora_.release_pages();
  }
  Bucket planned{batches_by_length(std::move(pairs), config_), {}};
  planned.order.resize(planned.batches.size());
  std::iota(planned.order.begin(), planned.order.end(), size_t{0});
  Random random(order_seed_, static_cast<uint64_t>(bucket));
  shuffle(planned.order, random);
  return planned;
}

int64_t EpochBuckets::num_batches() const {
  if (config_.batch_type != BatchUnit::kTokens) {
    return (corpora_.size() + config_.batch_size - 1) / config_.batch_size;
  }
  // An estimate from mean lengths misses that each pair costs its longer side: on Bible verses it
  // was a seventh too low, so that a linear schedule ended before the run.
  const auto planned = (*this)[0].batches;
  const auto share =
      static_cast<double>(corpora_.size()) / static_cast<double>(planned.pairs.size());
  return std::llround(share * static_cast<double>(planned.size()));
}

}  // namespace nmt
