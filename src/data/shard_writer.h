#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "data/corpus_cache.h"

namespace nmt {

/// The token ids of a sentence pair, without BOS and EOS.
struct TokenPair {
  std::vector<int32_t> source;
  std::vector<int32_t> target;
  std::vector<int32_t> links;  // aligned tokens: source token, target token, source token, …
  float weight = 1.0F;         // loss weight
  bool unguided = false;       // alignment dropped: tokens do not match words
  bool held_out = false;       // tokenized, but not for training
};

/// Writes a shard of a corpus cache pair by pair, into a temporary file that is renamed when
/// complete. Keeps 12 bytes per pair in memory until then, for the offsets at the file's end.
class ShardWriter {
 public:
  /// `key` has 64 characters. Throws Error if the file cannot be created.
  ShardWriter(const std::filesystem::path& folder, const std::string& key, uint64_t shard,
              uint64_t shard_bits);
  ~ShardWriter();
  ShardWriter(const ShardWriter&) = delete;
  ShardWriter& operator=(const ShardWriter&) = delete;

  /// Throws Error when the disk is full.
  void add(const TokenPair& pair);

  bool is_full() const { return header_.pairs >> header_.shard_bits != 0; }

  /// Completes the file. Without this call it is removed.
  void finish(const CorpusReport& report, const TextPlace& end, bool is_last);

 private:
  [[noreturn]] void fail() const;
  void append(const std::vector<int32_t>& tokens);
  void write_offsets();
  template <typename T>
  void write(const T* values, size_t count);
  template <typename T>
  void write_body(const T* values, size_t count);

  std::filesystem::path file_;
  std::filesystem::path partial_;
  std::ofstream stream_;
  ShardHeader header_{};
  uint64_t body_checksum_ = 0;
  std::vector<uint32_t> lengths_;  // source 0, target 0, notes 0, source 1, …
  bool finished_ = false;
};

}  // namespace nmt
