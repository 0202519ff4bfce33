#pragma once

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "data/corpus_cache.h"
#include "data/corpus_report.h"

namespace nmt {

/// The token ids of a sentence pair, without BOS and EOS.
struct TokenPair {
  std::vector<int32_t> source;
  std::vector<int32_t> target;
};

/// Writes a corpus cache as pairs come. What stands at the end of the file (lengths, lines) is kept
/// in memory until then, at 12 bytes a pair.
class CacheWriter {
 public:
  /// `file` is what messages call the stream; the key has 64 characters.
  CacheWriter(std::ostream& stream, std::filesystem::path file, const std::string& key);

  /// `line` is the pair's 0-based line in the text files. Throws Error when the disk is full.
  void add(const TokenPair& pair, int64_t line);

  /// Writes the rest; the stream is complete after that.
  void finish(const CorpusReport& report);

 private:
  void append(const std::vector<int32_t>& tokens);
  void write_offsets();
  template <typename T>
  void write(const T* values, size_t count);
  template <typename T>
  void write_body(const T* values, size_t count);

  std::ostream& stream_;
  std::filesystem::path file_;
  CacheHeader header_{};
  uint64_t body_checksum_ = 0;
  std::vector<uint32_t> lengths_;  // source 0, target 0, source 1, …
  std::vector<uint32_t> lines_;
};

}  // namespace nmt
