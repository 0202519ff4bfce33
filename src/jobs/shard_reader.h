#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "files/line_reader.h"

namespace nmt {

/// One of `count` parts of a text, in order, numbered from 1.
struct Shard {
  int64_t index = 1;
  int64_t count = 1;  // at most 1,000,000

  bool is_whole() const { return count == 1; }
  std::string name() const { return std::to_string(index) + "/" + std::to_string(count); }
};

/// Reads "I/N". Throws UsageError.
Shard parse_shard(const std::string& text);

/// Reads the lines of one shard of a file: those that begin in the bytes [size·(I−1)/N, size·I/N)
/// of the text, so each line belongs to exactly one shard. Of an uncompressed file only the shard
/// is read; a compressed one (.gz) is read once to measure the text, then up to the end of the
/// shard.
class ShardReader {
 public:
  /// Throws Error when the file cannot be read. Standard input ("-") can only be read whole, and
  /// must look like text at its beginning; its first bytes are passed to `check`.
  ShardReader(
      const std::filesystem::path& path, const Shard& shard,
      const std::function<void(std::string_view)>& check = [](std::string_view) {});

  /// The next line without its end; false at the end of the shard. Throws Error when reading fails.
  bool next(std::string& line);

 private:
  LineReader reader_;
  int64_t end_ = 0;  // byte in the text; lines that begin here or later are not in the shard
};

/// The number of lines before a file's shard and in the whole file; reads the file.
struct LineCounts {
  int64_t before = 0;
  int64_t all = 0;
};
LineCounts count_lines(const std::filesystem::path& path, const Shard& shard);

}  // namespace nmt
