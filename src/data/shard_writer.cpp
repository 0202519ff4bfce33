#include "data/shard_writer.h"

#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "errors/error.h"

namespace nmt {
namespace {

std::vector<int32_t> notes_of(const TokenPair& pair) {
  if (pair.weight == 1.0F && pair.links.empty()) return {};
  std::vector<int32_t> notes(1);
  std::memcpy(notes.data(), &pair.weight, sizeof(pair.weight));
  notes.insert(notes.end(), pair.links.begin(), pair.links.end());
  return notes;
}

}  // namespace

ShardWriter::ShardWriter(const std::filesystem::path& folder, const std::string& key,
                         uint64_t shard, uint64_t shard_bits)
    : file_(shard_file(folder, shard)), partial_(file_) {
  partial_ += ".tmp" + std::to_string(::getpid());
  stream_.open(partial_, std::ios::binary | std::ios::trunc);
  std::memcpy(header_.magic, kCacheMagic, sizeof(header_.magic));
  std::memcpy(header_.key, key.data(), sizeof(header_.key));
  header_.shard = shard;
  header_.shard_bits = shard_bits;
  write(&header_, 1);  // reserves its space; filled in at the end
}

ShardWriter::~ShardWriter() {
  if (finished_) return;
  stream_.close();
  std::error_code ignored;
  std::filesystem::remove(partial_, ignored);
}

void ShardWriter::add(const TokenPair& pair) {
  append(pair.source);
  append(pair.target);
  append(notes_of(pair));
  ++header_.pairs;
}

void ShardWriter::append(const std::vector<int32_t>& tokens) {
  write_body(tokens.data(), tokens.size());
  header_.num_tokens += tokens.size();
  lengths_.push_back(static_cast<uint32_t>(tokens.size()));
}

void ShardWriter::finish(const CorpusReport& report, const TextPlace& end, bool is_last) {
  const char padding[8] = {};
  write_body(padding, (8 - header_.num_tokens * sizeof(int32_t) % 8) % 8);
  write_offsets();
  header_.report = report;
  header_.end = end;
  header_.is_last = is_last ? 1 : 0;
  header_.file_size = static_cast<uint64_t>(stream_.tellp());
  header_.checksum = header_checksum(header_, body_checksum_);
  stream_.seekp(0);
  write(&header_, 1);
  stream_.close();
  // Not synced to the disk first: the checksum detects a shard that a power cut has left
  // incomplete.
  if (!stream_ || ::rename(partial_.c_str(), file_.c_str()) != 0) fail();
  finished_ = true;
}

/// Throws Error with errno of the last system call.
void ShardWriter::fail() const {
  throw Error(file_.string() + ": writing failed: " + std::strerror(errno));
}

void ShardWriter::write_offsets() {
  uint64_t offset = 0;
  write_body(&offset, 1);
  for (const uint32_t length : lengths_) {
    offset += length;
    write_body(&offset, 1);
  }
}

template <typename T>
void ShardWriter::write(const T* values, size_t count) {
  stream_.write(reinterpret_cast<const char*>(values),
                static_cast<std::streamsize>(count * sizeof(T)));
  if (!stream_) fail();  // at once, not after hours of tokenizing
}

template <typename T>
void ShardWriter::write_body(const T* values, size_t count) {
  if (count == 0) return;
  body_checksum_ =
      crc32_z(body_checksum_, reinterpret_cast<const Bytef*>(values), count * sizeof(T));
  write(values, count);
}

}  // namespace nmt
