#include "data/corpus_cache.h"

#include <spdlog/fmt/fmt.h>
#include <zlib.h>

namespace nmt {

uint64_t header_checksum(ShardHeader header, uint64_t body_checksum) {
  header.checksum = 0;
  return crc32_z(body_checksum, reinterpret_cast<const Bytef*>(&header), sizeof(header));
}

std::filesystem::path shard_file(const std::filesystem::path& folder, uint64_t shard) {
  return folder / fmt::format("{:06}.shard", shard);
}

}  // namespace nmt
