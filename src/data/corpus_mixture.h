#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/parallel_corpus.h"
#include "data/permutation.h"

namespace nmt {

/// The weight pairs^(1/temperature) of each corpus (Arivazhagan et al. 2019, section 4.2).
std::vector<double> temperature_weights(const std::vector<ParallelCorpus>& corpora,
                                        double temperature);

/// A pair of one of several corpora.
struct MixedPair {
  size_t corpus = 0;
  int64_t pair = 0;
};

/// One or several corpora, drawn from in random order. An epoch has as many draws as there are
/// pairs in total. Without weights each pair is drawn once an epoch. With weights each corpus gets
/// its share of the draws; over all epochs, the numbers of draws of its pairs differ by at most
/// one.
///
/// Every draw is a function of (seed, epoch, index): there is no state and no list in memory.
class CorpusMixture {
 public:
  /// Needs at least one corpus. `weights`: one above 0 per corpus, or empty.
  explicit CorpusMixture(std::vector<ParallelCorpus> corpora,
                         const std::vector<double>& weights = {});

  const std::vector<ParallelCorpus>& corpora() const { return corpora_; }

  /// Draws in an epoch.
  int64_t size() const { return ends_.back(); }

  /// Draws from one corpus in an epoch.
  int64_t draws_from(size_t corpus) const;

  /// Target tokens of an epoch's draws, EOS included; an estimate with weights.
  double target_tokens() const;

  /// All corpora together.
  CorpusReport report() const;

  /// Releases the pages of all corpora: ParallelCorpus::release_pages.
  void release_pages() const;

 private:
  friend class EpochDraws;

  std::vector<ParallelCorpus> corpora_;
  std::vector<int64_t> ends_;  // corpus c has draws ends_[c − 1] to ends_[c] − 1
};

/// The draws of one epoch, which counts from 1.
class EpochDraws {
 public:
  EpochDraws(const CorpusMixture& mixture, uint64_t seed, int64_t epoch);

  MixedPair operator[](int64_t index) const;

 private:
  const CorpusMixture& mixture_;
  uint64_t seed_;
  uint64_t epoch_;  // from 0
  Permutation order_;
};

}  // namespace nmt
