#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "data/corpus_report.h"
#include "data/corpus_shard.h"

namespace nmt {

/// A tokenized parallel corpus on disk, mapped into memory: however large it is, the system keeps
/// only the parts in use. Immutable; cheap to copy; may be read by several threads.
class ParallelCorpus {
 public:
  /// `shards`: all shards of the folder, in order.
  ParallelCorpus(std::filesystem::path folder,
                 std::vector<std::shared_ptr<const CorpusShard>> shards);

  int64_t size() const { return report().kept; }
  TokenSpan source(int64_t pair) const { return shard_of(pair).source(place_of(pair)); }
  TokenSpan target(int64_t pair) const { return shard_of(pair).target(place_of(pair)); }
  float weight(int64_t pair) const { return shard_of(pair).weight(place_of(pair)); }
  TokenSpan links(int64_t pair) const { return shard_of(pair).links(place_of(pair)); }

  const CorpusReport& report() const;

  const std::filesystem::path& folder() const;

  /// Releases the mapped pages that were read; reading them again maps them again.
  void release_pages() const;

 private:
  struct Shards {
    std::filesystem::path folder;
    std::vector<std::shared_ptr<const CorpusShard>> list;
  };

  const CorpusShard& shard_of(int64_t pair) const {
    return *shards_->list[static_cast<uint64_t>(pair) >> bits_];
  }
  uint64_t place_of(int64_t pair) const {
    return static_cast<uint64_t>(pair) & ((uint64_t{1} << bits_) - 1);
  }

  std::shared_ptr<const Shards> shards_;
  uint64_t bits_;
};

}  // namespace nmt
