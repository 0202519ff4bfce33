#include "data/parallel_corpus.h"

#include <utility>

namespace nmt {

ParallelCorpus::ParallelCorpus(std::filesystem::path folder,
                               std::vector<std::shared_ptr<const CorpusShard>> shards)
    : shards_(std::make_shared<Shards>(Shards{std::move(folder), std::move(shards)})),
      bits_(shards_->list.front()->header().shard_bits) {}

const CorpusReport& ParallelCorpus::report() const { return shards_->list.back()->header().report; }

const std::filesystem::path& ParallelCorpus::folder() const { return shards_->folder; }

void ParallelCorpus::release_pages() const {
  for (const auto& shard : shards_->list) shard->release_pages();
}

}  // namespace nmt
