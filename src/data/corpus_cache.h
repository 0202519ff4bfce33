#pragma once

#include <cstdint>
#include <filesystem>

#include "data/corpus_report.h"
#include "data/pair_reader.h"

namespace nmt {

// A tokenized corpus is a folder of shards, files that are memory-mapped (docs/corpus-cache.md).
// Each but the last holds 2^shard_bits pairs:
//
//   ShardHeader
//   int32  tokens[num_tokens]     pair after pair: source, target, both without BOS and EOS, notes
//   (padding to 8 bytes)
//   uint64 offsets[3·pairs + 1]   where source 0, target 0, notes 0, source 1, … begin in tokens
//
// Notes are the bits of the pair's loss weight, a float, then the aligned tokens: source token,
// target token, source token, … A pair of weight 1 without alignment has no notes.
//
// A shard that is invalid in any way is rebuilt.

struct ShardHeader {
  char magic[8];   // kCacheMagic
  char key[64];    // SHA-256 of everything the content depends on
  uint64_t shard;  // from 0
  uint64_t shard_bits;
  uint64_t is_last;
  uint64_t pairs;       // in this shard
  CorpusReport report;  // of the text up to the shard's end, including all earlier shards
  TextPlace end;        // where the next shard begins
  uint64_t num_tokens;
  uint64_t file_size;
  uint64_t checksum;  // header_checksum
};

constexpr char kCacheMagic[9] = "nmtcorp6";

/// CRC-32 of all that follows the header, then of the header with a checksum of 0.
uint64_t header_checksum(ShardHeader header, uint64_t body_checksum);

std::filesystem::path shard_file(const std::filesystem::path& folder, uint64_t shard);

}  // namespace nmt
