#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "errors/error.h"
#include "files/input_file.h"

namespace nmt {

/// Reads a text file line by line, plain or gzip-compressed (detected by its content).
///
/// A byte order mark at the start and a carriage return before the line end are dropped. "-" is
/// standard input.
class LineReader {
 public:
  /// Throws Error when the file can't be opened.
  explicit LineReader(const std::filesystem::path& path);

  /// The next line without its end; false at the end of the file. Throws Error when reading fails.
  bool next(std::string& line);

  /// All that follows, unchanged. Throws Error when reading fails.
  std::string rest();

  /// Some of what follows, unchanged; valid until the next call. Empty at the end of the file.
  /// Throws Error when reading fails.
  std::string_view next_block();

  /// Waits for the first bytes and returns them without consuming them. Throws Error if they are
  /// not those of a UTF-8 text.
  std::string_view require_text();

  /// Whether the file is gzip-compressed. Throws Error when its first bytes cannot be read.
  bool is_compressed();

  /// Skips to the first line that begins at or after `byte` (above 0) of the uncompressed text;
  /// that line becomes line 1. Seeks in an uncompressed file. Throws Error.
  void skip_to_line_from(int64_t byte);

  /// Number of the line last returned, from 1.
  int64_t line_number() const { return line_number_; }

  /// Where the next line begins, in bytes of the uncompressed text.
  int64_t position() const { return position_; }

  /// Continues from the line_number() and position() of an earlier reader; only for a new reader,
  /// not on standard input. Reads compressed text up to there. Throws Error when that fails.
  void go_on_after(int64_t line_number, int64_t position);

 private:
  bool fill();
  void skip_to(int64_t byte);
  Error read_error(const Error& reason) const;

  std::string name_;
  InputFile file_;
  std::vector<char> buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
  int64_t line_number_ = 0;
  int64_t position_ = 0;
  int64_t first_byte_ = 0;  // where line 1 began
};

/// The size of a file's uncompressed text; reads a gzip-compressed file to its end. Throws Error.
int64_t text_size(const std::filesystem::path& path);

/// All lines of a small file. Throws Error also on bad UTF-8, naming line and byte.
std::vector<std::string> read_lines(const std::filesystem::path& path);

/// At most `count` lines from index `first` (≤ size).
std::vector<std::string> part_of_lines(const std::vector<std::string>& lines, size_t first,
                                       size_t count);

}  // namespace nmt
