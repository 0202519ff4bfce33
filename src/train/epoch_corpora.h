#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <future>

#include "data/corpus_mixture.h"
#include "train/runs/run_origin.h"
#include "train/training_inputs.h"

namespace nmt {

/// The training corpora, epoch by epoch: always the same ones or, where segmentations are sampled,
/// others for each epoch, which a thread prepares while the epoch before is trained on. An epoch's
/// corpora are a function of the text, the settings and the epoch alone.
class EpochCorpora {
 public:
  /// `plain` are the corpora of the best segmentations.
  EpochCorpora(const RunOrigin& origin, const Tokenizers& tokenizers,
               const std::filesystem::path& cache_dir, const CorpusMixture& plain);
  ~EpochCorpora();
  EpochCorpora(const EpochCorpora&) = delete;
  EpochCorpora& operator=(const EpochCorpora&) = delete;

  /// Epochs are asked for one after the other, the first may be any. Throws Error when the text is
  /// gone or another than the run began with, or the disk is full; Interrupted on a signal.
  CorpusMixture corpora_of(int64_t epoch);

 private:
  CorpusMixture prepare(int64_t epoch, int threads) const;

  const RunOrigin origin_;
  const Tokenizers tokenizers_;
  const std::filesystem::path cache_dir_;
  const CorpusMixture plain_;
  std::atomic<bool> dismissed_{false};
  std::future<CorpusMixture> next_;  // waits for its thread when it is destroyed
};

}  // namespace nmt
