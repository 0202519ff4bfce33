#include "data/batch_plan.h"

#include <algorithm>
#include <numeric>

#include "support/random.h"

namespace nmt {
namespace {

// Target first: the decoder's steps are the costly ones.
bool longer(const ParallelCorpus& corpus, uint32_t a, uint32_t b) {
  const size_t target_a = corpus.target(a).size;
  const size_t target_b = corpus.target(b).size;
  if (target_a != target_b) return target_a > target_b;
  return corpus.source(a).size > corpus.source(b).size;
}

int64_t average_tokens(const ParallelCorpus& corpus) {
  const auto& report = corpus.report();
  const int64_t longer_side = std::max(report.source_tokens, report.target_tokens);
  return std::max<int64_t>(longer_side / std::max<int64_t>(report.kept, 1), 1) + 1;
}

size_t bucket_pairs(const ParallelCorpus& corpus, const DataConfig& config) {
  const int64_t sentences = config.batch_type == "tokens"
                                ? std::max<int64_t>(config.batch_size / average_tokens(corpus), 1)
                                : config.batch_size;
  return static_cast<size_t>(sentences * std::max<int64_t>(config.bucket_batches, 1));
}

}  // namespace

BatchPlan::BatchPlan(const ParallelCorpus& corpus, const DataConfig& config, uint64_t seed,
                     int64_t epoch)
    : pairs_(static_cast<size_t>(corpus.size())) {
  Random random(seed, static_cast<uint64_t>(epoch));
  std::iota(pairs_.begin(), pairs_.end(), 0U);
  shuffle(pairs_, random);
  const size_t bucket = bucket_pairs(corpus, config);
  for (size_t begin = 0; begin < pairs_.size(); begin += bucket) {
    cut(corpus, config, begin, std::min(pairs_.size(), begin + bucket));
  }
  starts_.push_back(pairs_.size());
  order_.resize(starts_.size() - 1);
  std::iota(order_.begin(), order_.end(), 0U);
  shuffle(order_, random);
}

BatchPlan BatchPlan::sequential(const ParallelCorpus& corpus, int64_t batch_size) {
  BatchPlan plan;
  plan.pairs_.resize(static_cast<size_t>(corpus.size()));
  std::iota(plan.pairs_.begin(), plan.pairs_.end(), 0U);
  DataConfig config;
  config.batch_type = "sentences";
  config.batch_size = batch_size;
  plan.cut(corpus, config, 0, plan.pairs_.size());
  plan.starts_.push_back(plan.pairs_.size());
  plan.order_.resize(plan.starts_.size() - 1);
  std::iota(plan.order_.begin(), plan.order_.end(), 0U);
  return plan;
}

// Sorts pairs_[begin, end) by length and marks where its batches start.
void BatchPlan::cut(const ParallelCorpus& corpus, const DataConfig& config, size_t begin,
                    size_t end) {
  const auto at = [&](size_t i) { return pairs_.begin() + static_cast<int64_t>(i); };
  std::stable_sort(at(begin), at(end),
                   [&](uint32_t a, uint32_t b) { return longer(corpus, a, b); });
  const bool by_tokens = config.batch_type == "tokens";
  const auto limit = static_cast<size_t>(config.batch_size);
  size_t start = begin;
  size_t width = 0;
  for (size_t i = begin; i < end; ++i) {
    const size_t pair_width =
        std::max(corpus.source(pairs_[i]).size, corpus.target(pairs_[i]).size + 1);
    const size_t new_width = std::max(width, pair_width);
    const size_t count = i - start + 1;
    if (i > start && (by_tokens ? count * new_width > limit : count > limit)) {
      starts_.push_back(start);
      start = i;
      width = pair_width;
    } else {
      width = new_width;
    }
  }
  if (start < end) starts_.push_back(start);
}

PairSpan BatchPlan::operator[](int64_t batch) const {
  const size_t index = order_[static_cast<size_t>(batch)];
  return {pairs_.data() + starts_[index], starts_[index + 1] - starts_[index]};
}

}  // namespace nmt
