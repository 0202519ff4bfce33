#pragma once

#include <cstdint>

#include "data/corpus_report.h"

namespace nmt {

// The file in which a tokenised corpus is memory-mapped (docs/corpus-cache.md):
//
//   CacheHeader
//   int32  tokens[num_tokens]     pair after pair, each source then target, without BOS and EOS
//   (padding to 8 bytes)
//   uint64 offsets[2·kept + 1]    where source 0, target 0, source 1, … begin in tokens
//   uint32 lines[kept]            0-based line of each pair in the text files
//
// It is a cache: anything odd about it and it is built anew.

struct CacheHeader {
  char magic[8];  // kCacheMagic
  char key[64];   // SHA-256 of everything the content depends on
  CorpusReport report;
  uint64_t num_tokens;
  uint64_t file_size;
  uint64_t checksum;  // header_checksum
};

constexpr char kCacheMagic[9] = "nmtcorp2";

/// CRC-32 of all that follows the header, then of the header with a checksum of 0.
uint64_t header_checksum(CacheHeader header, uint64_t body_checksum);

}  // namespace nmt
