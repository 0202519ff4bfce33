#include "train/epoch_batches.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "data/prepare.h"

namespace nmt {
namespace {

/// With subword sampling each process prepares corpora of its own. By the folder's name,
/// remove_other_caches() finds what a killed process left.
std::filesystem::path cache_of_process(const TrainingRun& run) {
  if (run.group.size() == 1) return run.cache_dir;
  return run.cache_dir / ("process-" + std::to_string(run.group.rank()) + kCacheSuffix);
}

}  // namespace

EpochSize epoch_size_of(int64_t num_batches, const CorpusMixture& corpora,
                        const TrainConfig& train) {
  const int64_t per_update = train.gradient_accumulation;
  return {std::max<int64_t>((num_batches + per_update - 1) / per_update, 1),
          corpora.target_tokens()};
}

EpochBatches::EpochBatches(const TrainingRun& run)
    : run_(run),
      corpora_(run.fingerprint, run.tokenizers, cache_of_process(run), run.corpora.training) {}

void EpochBatches::open(int64_t epoch, const StreamPosition& from) {
  const auto& settings = run_.fingerprint.settings;
  const auto corpora = corpora_.corpora_of(epoch);
  stream_ = std::make_unique<BatchStream>(corpora, settings.data,
                                          static_cast<uint64_t>(settings.train.seed), epoch, from,
                                          BatchShare{run_.group.rank(), run_.group.size()});
  epoch_size_ = epoch_size_of(stream_->num_batches(), corpora, settings.train);
}

std::vector<Batch> EpochBatches::next() {
  last_ = stream_->position();
  const auto count = static_cast<size_t>(run_.fingerprint.settings.train.gradient_accumulation);
  std::vector<Batch> batches;
  while (batches.size() < count && !stream_->at_end()) {
    batches.push_back(stream_->next());
  }
  return batches;
}

bool EpochBatches::close_at_end() {
  const bool at_end = stream_->at_end();
  if (at_end) close();
  return at_end;
}

StreamPosition EpochBatches::position() const {
  if (undone_) return *undone_;
  return stream_ ? stream_->position() : StreamPosition();
}

}  // namespace nmt
