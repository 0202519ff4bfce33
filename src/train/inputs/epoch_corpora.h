#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <future>

#include "data/corpus_mixture.h"
#include "train/inputs/training_inputs.h"
#include "train/runs/run_fingerprint.h"

namespace nmt {

/// The training corpora of each epoch: always the same, or with sampling new ones, which a thread
/// prepares during the previous epoch. A function of the text, the settings and the epoch.
class EpochCorpora {
 public:
  /// `plain`: the corpora without sampling.
  EpochCorpora(const RunFingerprint& fingerprint, const Tokenizers& tokenizers,
               const std::filesystem::path& cache_dir, const CorpusMixture& plain);
  ~EpochCorpora();
  EpochCorpora(const EpochCorpora&) = delete;
  EpochCorpora& operator=(const EpochCorpora&) = delete;

  /// Call with successive epochs; the first may be any. Throws Error if the text is missing or has
  /// changed since the run began, or the disk is full; Interrupted on a signal.
  CorpusMixture corpora_of(int64_t epoch);

 private:
  CorpusMixture prepared(int64_t epoch);
  CorpusMixture prepare(int64_t epoch, int threads) const;

  const RunFingerprint fingerprint_;
  const Tokenizers tokenizers_;
  const std::filesystem::path cache_dir_;
  const CorpusMixture plain_;
  std::atomic<bool> stopped_{false};
  std::future<CorpusMixture> next_;  // its destructor waits for the thread
};

}  // namespace nmt
