#include "data/cache_writer.h"

#include <zlib.h>

#include <cstring>
#include <utility>

#include "support/error.h"

namespace nmt {

CacheWriter::CacheWriter(std::ostream& stream, std::filesystem::path file, const std::string& key)
    : stream_(stream), file_(std::move(file)) {
  std::memcpy(header_.magic, kCacheMagic, sizeof(header_.magic));
  std::memcpy(header_.key, key.data(), sizeof(header_.key));
  write(&header_, 1);  // its place; the content follows at the end
}

void CacheWriter::add(const TokenPair& pair, int64_t line) {
  append(pair.source);
  append(pair.target);
  lines_.push_back(static_cast<uint32_t>(line));
}

void CacheWriter::append(const std::vector<int32_t>& tokens) {
  write_body(tokens.data(), tokens.size());
  header_.num_tokens += tokens.size();
  lengths_.push_back(static_cast<uint32_t>(tokens.size()));
}

void CacheWriter::finish(const CorpusReport& report) {
  const char padding[8] = {};
  write_body(padding, (8 - header_.num_tokens * sizeof(int32_t) % 8) % 8);
  write_offsets();
  write_body(lines_.data(), lines_.size());
  header_.report = report;
  header_.file_size = static_cast<uint64_t>(stream_.tellp());
  header_.checksum = header_checksum(header_, body_checksum_);
  stream_.seekp(0);
  write(&header_, 1);
}

void CacheWriter::write_offsets() {
  uint64_t offset = 0;
  write_body(&offset, 1);
  for (const uint32_t length : lengths_) {
    offset += length;
    write_body(&offset, 1);
  }
}

template <typename T>
void CacheWriter::write(const T* values, size_t count) {
  stream_.write(reinterpret_cast<const char*>(values),
                static_cast<std::streamsize>(count * sizeof(T)));
  // Said at once, not after hours of tokenising.
  if (!stream_) throw Error(file_.string() + ": writing failed; is the disk full?");
}

template <typename T>
void CacheWriter::write_body(const T* values, size_t count) {
  if (count == 0) return;
  body_checksum_ =
      crc32_z(body_checksum_, reinterpret_cast<const Bytef*>(values), count * sizeof(T));
  write(values, count);
}

}  // namespace nmt
