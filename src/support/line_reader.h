#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

struct gzFile_s;

namespace nmt {

/// Reads a text file line by line, plain or gzip-compressed (told by its content).
///
/// A byte order mark at the start and a carriage return before the line end are dropped. "-" is
/// standard input.
class LineReader {
 public:
  /// Throws Error when the file can't be opened.
  explicit LineReader(const std::filesystem::path& path);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// The next line without its end; false at the end of the file. Throws Error when reading fails.
  bool next(std::string& line);

  /// Number of the line last returned, from 1.
  int64_t line_number() const { return line_number_; }

  /// Where the line after it begins, in bytes of the text (uncompressed).
  int64_t offset() const { return offset_; }

  /// Goes on from what these two were, of a reader that has read nothing yet; compressed text is
  /// read up to there. Throws Error where that fails; not for standard input.
  void go_on_after(int64_t line_number, int64_t offset);

 private:
  bool fill();
  size_t read_standard_input();
  size_t read_file();

  std::string name_;
  gzFile_s* file_ = nullptr;  // null for standard input
  std::vector<char> buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
  int64_t line_number_ = 0;
  int64_t offset_ = 0;
};

/// All lines of a small file. Throws Error also on bad UTF-8, naming line and byte.
std::vector<std::string> read_lines(const std::filesystem::path& path);

}  // namespace nmt
