#include "train/fit_memory.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <vector>

#include "data/length_batches.h"
#include "errors/error.h"
#include "errors/log.h"
#include "numbers/byte_size.h"
#include "planning/training_estimate.h"
#include "train/steps/fused_training.h"

namespace nmt {
namespace {

constexpr int64_t kPairsLookedAt = 50000;  // pairs examined to find the largest batch

/// The tokens that one process computes of a batch; the fused engine skips padding. `rows`: pairs
/// in the process's share.
BatchTokens computed_tokens(const std::vector<SizedPair>& batch, double rows, bool fused) {
  BatchTokens sum;
  BatchTokens longest;
  for (const auto& pair : batch) {
    const auto source = static_cast<double>(pair.source_length);
    const auto target = static_cast<double>(pair.target_length + 1);
    sum = {sum.source + source, sum.target + target};
    longest = {std::max(longest.source, source), std::max(longest.target, target)};
  }
  const double share = rows / static_cast<double>(batch.size());
  return fused ? BatchTokens{share * sum.source, share * sum.target}
               : BatchTokens{rows * longest.source, rows * longest.target};
}

/// The maximum tokens of each side over the batches of the settings.
BatchTokens largest_batch(const TrainingRun& run, const DataConfig& data, bool fused) {
  const auto& corpora = run.corpora.training;
  const auto seed = static_cast<uint64_t>(run.fingerprint.settings.train.seed);
  const EpochBuckets buckets(corpora, data, seed, 1);
  const auto processes = static_cast<size_t>(run.group.size());
  BatchTokens largest;
  int64_t pairs = 0;
  for (int64_t b = 0; b < buckets.size() && pairs < kPairsLookedAt; ++b) {
    const auto batches = buckets[b].batches;
    pairs += static_cast<int64_t>(batches.pairs.size());
    for (size_t i = 0; i < batches.size(); ++i) {
      const auto batch = batches.pairs_of(i);
      const auto rows = (batch.size() + processes - 1) / processes;
      const auto tokens = computed_tokens(batch, static_cast<double>(rows), fused);
      largest = {std::max(largest.source, tokens.source), std::max(largest.target, tokens.target)};
    }
  }
  return largest;
}

double memory_with(const TrainingRun& run, const DataConfig& data) {
  const auto& train = run.fingerprint.settings.train;
  const bool fused = trains_fused(run.network, train, train.device == "cpu");
  return training_memory(run.network, train, fused, largest_batch(run, data, fused));
}

double limit_of(const TrainConfig& train) {
  return static_cast<double>(parse_byte_size(train.max_memory).value());
}

[[noreturn]] void throw_too_little(const TrainConfig& train, double needed) {
  throw Error(fmt::format(
      "train.max_memory: {} is less than the {:.0f}M that training is estimated to take with one "
      "pair in a batch; raise it or make the model smaller",
      train.max_memory, needed / (1 << 20)));
}

int64_t part_of_batch(int64_t size, int64_t parts) { return (size + parts - 1) / parts; }

}  // namespace

double estimate_memory(const TrainingRun& run) {
  return memory_with(run, run.fingerprint.settings.data);
}

void require_memory_for(const Seq2SeqOptions& model, const TrainConfig& train) {
  if (train.max_memory.empty()) return;
  const bool fused = trains_fused(model, train, train.device == "cpu");
  const double needed = training_memory(model, train, fused, {1, 1});
  if (needed > limit_of(train)) throw_too_little(train, needed);
}

void fit_to_memory(TrainingRun& run) {
  auto& settings = run.fingerprint.settings;
  if (settings.train.max_memory.empty()) return;
  const double limit = limit_of(settings.train);
  auto data = settings.data;
  const auto memory_of_size = [&](int64_t size) {
    data.batch_size = size;
    return memory_with(run, data);
  };
  int64_t fits = settings.data.batch_size;
  if (memory_of_size(fits) <= limit) return;
  const double least = memory_of_size(1);
  if (least > limit) throw_too_little(settings.train, least);
  int64_t too_large = fits;
  fits = 1;
  while (too_large - fits > 1) {
    const int64_t middle = (fits + too_large) / 2;
    (memory_of_size(middle) <= limit ? fits : too_large) = middle;
  }
  const int64_t parts = part_of_batch(settings.data.batch_size, fits);
  fits = part_of_batch(settings.data.batch_size, parts);  // makes the parts equally large
  log_info("batch_size {} → {} × {} to fit in train.max_memory {}", settings.data.batch_size, parts,
           fits, settings.train.max_memory);
  settings.data.batch_size = fits;
  settings.train.gradient_accumulation *= parts;
}

void keep_fitted_batches(Settings& settings, const Settings& saved, bool automatic_size) {
  if (settings.train.max_memory.empty() || saved.train.max_memory.empty()) return;
  auto& accumulation = settings.train.gradient_accumulation;
  if (saved.train.gradient_accumulation % accumulation != 0) return;
  const int64_t parts = saved.train.gradient_accumulation / accumulation;
  const bool fitted = settings.train.max_memory == saved.train.max_memory &&
                      part_of_batch(settings.data.batch_size, parts) == saved.data.batch_size;
  if (!automatic_size && !fitted) return;
  settings.data.batch_size = saved.data.batch_size;
  accumulation = saved.train.gradient_accumulation;
}

}  // namespace nmt
