#include <unistd.h>
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "data/corpus_shard.h"

namespace {

namespace fs = std::filesystem;

const std::string kKey(64, 'k');

/// Whatever its bytes are, it gets as far as a shard of this cache: else nothing would.
std::string as_shard(const uint8_t* data, size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (size < sizeof(nmt::ShardHeader)) return bytes;
  nmt::ShardHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  std::memcpy(header.magic, nmt::kCacheMagic, sizeof(header.magic));
  std::memcpy(header.key, kKey.data(), sizeof(header.key));
  header.shard = 0;
  header.file_size = size;
  const auto* body = reinterpret_cast<const Bytef*>(bytes.data() + sizeof(header));
  header.checksum = nmt::header_checksum(header, crc32_z(0, body, size - sizeof(header)));
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

/// Every token is read, so that the address sanitizer sees where it lies.
int64_t sum_of(nmt::TokenSpan tokens) {
  int64_t sum = 0;
  for (const int32_t token : tokens) sum += token;
  return sum;
}

}  // namespace

// Any file is a shard all of whose pairs can be read, or none.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fs::path folder = fs::path("/dev/shm") / ("nmt-fuzz-" + std::to_string(::getpid()));
  [[maybe_unused]] static const bool made = [] {
    std::atexit([] { fs::remove_all(folder); });
    return fs::create_directory(folder);
  }();
  std::ofstream(nmt::shard_file(folder, 0), std::ios::binary) << as_shard(data, size);
  const auto shard = nmt::CorpusShard::open(folder, kKey, 0, nmt::CorpusShard::Check::kWhole);
  if (!shard) return 0;
  int64_t sum = 0;
  for (uint64_t pair = 0; pair < shard->header().pairs; ++pair) {
    const auto source = shard->source(pair);
    const auto target = shard->target(pair);
    sum += sum_of(source) + sum_of(target);
    const auto links = shard->links(pair);
    for (size_t i = 0; i < links.size; i += 2) {
      sum += source.data[links.data[i]] + target.data[links.data[i + 1]];
    }
  }
  volatile int64_t used = sum;
  static_cast<void>(used);
  return 0;
}
