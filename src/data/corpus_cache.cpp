#include "data/corpus_cache.h"

#include <zlib.h>

#include <cstdio>

namespace nmt {

uint64_t header_checksum(ShardHeader header, uint64_t body_checksum) {
  header.checksum = 0;
  return crc32_z(body_checksum, reinterpret_cast<const Bytef*>(&header), sizeof(header));
}

std::filesystem::path shard_file(const std::filesystem::path& folder, uint64_t shard) {
  char name[32];
  std::snprintf(name, sizeof(name), "%06llu.shard", static_cast<unsigned long long>(shard));
  return folder / name;
}

}  // namespace nmt
