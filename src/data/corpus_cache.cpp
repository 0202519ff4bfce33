#include "data/corpus_cache.h"

#include <zlib.h>

namespace nmt {

uint64_t header_checksum(CacheHeader header, uint64_t body_checksum) {
  header.checksum = 0;
  return crc32_z(body_checksum, reinterpret_cast<const Bytef*>(&header), sizeof(header));
}

}  // namespace nmt
