#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "files/line_reader.h"

namespace nmt {

/// How a table is written.
struct TableFormat {
  char delimiter = '\t';
  bool quoted = false;  // cells may be quoted (RFC 4180)
};

/// Delimiter and quoting of a .csv file, or quoting of tab-separated text, from the content. Text
/// counts as quoted only if a spreadsheet must have written it, since a sentence may be "Yes." with
/// its quotation marks. `columns`: the least number of them. Throws Error.
TableFormat format_of(const std::filesystem::path& path, size_t columns);

struct TableCell {
  std::string text;
  bool quoted = false;
  bool escaped = false;  // quoted, with characters that must be
};

/// Reads the rows of a table. Line breaks within quoted cells become spaces.
class TableReader {
 public:
  TableReader(const std::filesystem::path& path, TableFormat format, size_t columns);

  /// False at the end. Throws Error when reading fails.
  bool next(std::vector<TableCell>& row);

  /// The last line of the row last returned, from 1.
  int64_t line_number() const;

  /// Columns of the first row.
  size_t columns() const { return columns_; }

 private:
  bool read_ahead();
  void join_lines(std::string line, std::vector<TableCell>& row);

  TableFormat format_;
  size_t columns_;
  LineReader reader_;
  std::deque<std::string> lines_;  // read, not yet returned
  bool first_ = true;
};

}  // namespace nmt
