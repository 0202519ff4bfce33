#include "data/corpus_shard.h"

#include <sys/mman.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <system_error>

namespace nmt {
namespace {

constexpr size_t kSliceBytes = size_t{1} << 26;
constexpr uint64_t kMaxShardBits = 40;

}  // namespace

bool CorpusShard::resolve(const std::string& key, uint64_t shard) {
  header_ = reinterpret_cast<const ShardHeader*>(bytes_.data());
  const ShardHeader& header = *header_;
  if (std::memcmp(header.magic, kCacheMagic, sizeof(header.magic)) != 0) return false;
  if (key.size() != sizeof(header.key) || key.compare(0, key.size(), header.key, key.size()) != 0 ||
      header.shard != shard) {
    return false;
  }
  if (header.file_size != bytes_.size() || header.pairs > bytes_.size() ||
      header.num_tokens > bytes_.size() || header.shard_bits > kMaxShardBits ||
      header.is_last > 1) {
    return false;
  }
  const uint64_t full = uint64_t{1} << header.shard_bits;
  if (header.is_last == 1 ? header.pairs > full : header.pairs != full) return false;
  const size_t token_bytes = (header.num_tokens * sizeof(int32_t) + 7) / 8 * 8;
  const size_t offset_bytes = (3 * header.pairs + 1) * sizeof(uint64_t);
  if (sizeof(ShardHeader) + token_bytes + offset_bytes != bytes_.size()) return false;
  tokens_ = reinterpret_cast<const int32_t*>(bytes_.data() + sizeof(ShardHeader));
  offsets_ = reinterpret_cast<const uint64_t*>(bytes_.data() + sizeof(ShardHeader) + token_bytes);
  return true;
}

// Reads the whole file once: a changed token could be one that the vocabulary does not have.
bool CorpusShard::is_whole() const {
  uint64_t checksum = 0;
  for (size_t begin = sizeof(ShardHeader); begin < bytes_.size(); begin += kSliceBytes) {
    const size_t slice = std::min(kSliceBytes, bytes_.size() - begin);
    checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(bytes_.data() + begin), slice);
    release_pages();
  }
  return header_checksum(*header_, checksum) == header_->checksum;
}

// The checksum detects accidental damage. This detects content that was never valid and would let a
// reader run past the mapping.
bool CorpusShard::holds_its_pairs() const {
  const uint64_t* end = offsets_ + 3 * header_->pairs;
  if (*end > header_->num_tokens || !std::is_sorted(offsets_, end + 1)) return false;
  for (uint64_t pair = 0; pair < header_->pairs; ++pair) {
    if (!holds_its_links(pair)) return false;
  }
  release_pages();
  return true;
}

bool CorpusShard::holds_its_links(uint64_t pair) const {
  const auto tokens = links(pair);
  if (tokens.size % 2 != 0) return false;
  const auto within = [](int32_t token, TokenSpan sentence) {
    return token >= 0 && static_cast<size_t>(token) < sentence.size;
  };
  for (size_t i = 0; i < tokens.size; i += 2) {
    if (!within(tokens.data[i], source(pair)) || !within(tokens.data[i + 1], target(pair))) {
      return false;
    }
  }
  return true;
}

float CorpusShard::weight(uint64_t pair) const {
  float weight = 1.0F;
  if (notes(pair).size > 0) std::memcpy(&weight, notes(pair).data, sizeof(weight));
  return weight;
}

TokenSpan CorpusShard::links(uint64_t pair) const {
  const auto all = notes(pair);
  return all.size == 0 ? all : TokenSpan{all.data + 1, all.size - 1};
}

void CorpusShard::release_pages() const {
  // The pages stay in the system's cache without counting as this program's memory.
  ::madvise(file_.data(), bytes_.size(), MADV_DONTNEED);
}

std::shared_ptr<const CorpusShard> CorpusShard::open(const std::filesystem::path& folder,
                                                     const std::string& key, uint64_t shard,
                                                     Check check) {
  const auto path = shard_file(folder, shard);
  std::error_code unreachable;
  if (!std::filesystem::is_regular_file(path, unreachable)) return nullptr;
  const std::shared_ptr<CorpusShard> opened(new CorpusShard(path));
  if (opened->bytes_.size() < sizeof(ShardHeader) || !opened->resolve(key, shard)) return nullptr;
  if (check == Check::kWhole && !(opened->is_whole() && opened->holds_its_pairs())) return nullptr;
  // Pairs are read in random order from now on, so readahead would be wasted.
  ::madvise(opened->file_.data(), opened->bytes_.size(), MADV_RANDOM);
  return opened;
}

}  // namespace nmt
