#include "corpus_files/table_reader.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "corpus_files/corpus_file.h"
#include "files/file.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

/// Reads a quoted cell at the start of `text` and returns its length with the quotation marks; 0
/// unless it ends at a delimiter or the end of the text. Sets `open` if no quotation mark ends it.
size_t read_quoted(std::string_view text, char delimiter, TableCell& cell, bool& open) {
  size_t i = 1;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && (i + 1 == text.size() || text[i + 1] != '"')) break;
    if (c == '"') ++i;
    const bool breaks_line = c == '\n' || c == '\r';
    cell.escaped = cell.escaped || c == '"' || breaks_line || c == delimiter;
    if (!breaks_line) {
      cell.text += c;
    } else if (!cell.text.empty() && cell.text.back() != ' ') {
      cell.text += ' ';
    }
  }
  open = open || i == text.size();
  cell.quoted = i + 1 == text.size() || (i < text.size() && text[i + 1] == delimiter);
  return cell.quoted ? i + 1 : 0;
}

/// Returns false if a line break may belong to a cell that continues in the next line.
bool split(std::string_view text, TableFormat format, std::vector<TableCell>& row) {
  row.clear();
  for (bool open = false;;) {
    TableCell cell;
    const size_t spaces = text.find_first_not_of(' ');
    // As written by hand: "a", "b"
    if (format.delimiter != '\t' && spaces < text.size() && text[spaces] == '"') {
      text.remove_prefix(spaces);
    }
    const bool begins_quoted = format.quoted && !text.empty() && text.front() == '"';
    size_t end = begins_quoted ? read_quoted(text, format.delimiter, cell, open) : 0;
    if (!cell.quoted) {
      end = text.find(format.delimiter);
      cell = {std::string(text.substr(0, end))};
    }
    row.push_back(std::move(cell));
    if (end >= text.size()) return !open;
    text.remove_prefix(end + 1);
  }
}

/// What the rows of a table say about its format.
struct Evidence {
  int64_t regular_rows = 0;  // with as many columns as the first
  int64_t escaped = 0;
  int64_t unescaped = 0;  // cells with quotation marks that no spreadsheet would write so
  int64_t quoted_commas = 0;
  int64_t other_commas = 0;
};

Evidence evidence_of(const std::filesystem::path& path, char delimiter, size_t columns,
                     int64_t max_rows) {
  Evidence evidence;
  TableReader reader(path, {delimiter, true}, columns);
  std::vector<TableCell> row;
  for (int64_t rows = 0; rows < max_rows && reader.next(row); ++rows) {
    const bool regular = row.size() == reader.columns() && row.size() >= columns;
    if (regular) ++evidence.regular_rows;
    for (const auto& cell : row) {
      const bool has_comma = cell.text.find(',') != std::string::npos;
      if (!cell.quoted) {
        if (cell.text.find('"') != std::string::npos) ++evidence.unescaped;
        if (has_comma) ++evidence.other_commas;
      } else if (regular) {
        if (cell.escaped) ++evidence.escaped;
        if (has_comma) ++evidence.quoted_commas;
      }
    }
  }
  return evidence;
}

}  // namespace

TableFormat format_of(const std::filesystem::path& path, size_t columns) {
  TableFormat format;
  if (has_ending(path, ".csv")) {
    require_rereadable({path});
    constexpr int64_t kRows = 1000;
    format.delimiter = ',';
    int64_t most = 0;
    // Of a table without that many columns, two show what divides it.
    for (const size_t wanted : {columns, size_t{2}}) {
      for (const char delimiter : {'\t', ';', ','}) {
        const auto rows = evidence_of(path, delimiter, wanted, kRows).regular_rows;
        if (rows > most) format.delimiter = delimiter;
        most = std::max(most, rows);
      }
      if (most > 0 || columns <= 2) break;
    }
    format.quoted = true;
  } else if (!is_readable_once(path)) {
    const auto evidence =
        evidence_of(path, format.delimiter, columns, std::numeric_limits<int64_t>::max());
    // Excel quotes all cells with commas. Text without quotation marks shows it only by these.
    constexpr int64_t kManyCommas = 20;
    const bool all_commas = evidence.quoted_commas >= kManyCommas && evidence.other_commas == 0;
    format.quoted =
        evidence.escaped > evidence.unescaped || (all_commas && evidence.unescaped == 0);
  }
  return format;
}

TableReader::TableReader(const std::filesystem::path& path, TableFormat format, size_t columns)
    : format_(format), columns_(columns), reader_(path) {
  reader_.require_text();
}

int64_t TableReader::line_number() const {
  return reader_.line_number() - static_cast<int64_t>(lines_.size());
}

bool TableReader::read_ahead() {
  std::string line;
  if (!reader_.next(line)) return false;
  lines_.push_back(std::move(line));
  return true;
}

bool TableReader::next(std::vector<TableCell>& row) {
  if (lines_.empty() && !read_ahead()) return false;
  const auto line = std::move(lines_.front());
  lines_.pop_front();
  // A spreadsheet's note on the delimiter.
  const bool notes = format_.delimiter == '\t' ? line == "sep=\t" : begins_with(line, "sep=");
  if (line_number() == 1 && notes) return next(row);
  if (!split(line, format_, row)) join_lines(line, row);
  if (first_) columns_ = row.size();
  first_ = false;
  return true;
}

/// Joins lines only to a row of the expected columns: a sentence may begin with a quotation mark
/// that another one ends.
void TableReader::join_lines(std::string line, std::vector<TableCell>& row) {
  constexpr size_t kMaxLines = 100;
  std::vector<TableCell> joined;
  for (size_t i = 0; i < kMaxLines && (i < lines_.size() || read_ahead()); ++i) {
    line += "\n" + lines_[i];
    if (lines_[i].find('"') == std::string::npos) continue;  // ends no cell
    if (!split(line, format_, joined)) continue;
    // Only the first row of a .csv may have more columns than are needed.
    const bool may_have_more = first_ && format_.delimiter != '\t';
    if (joined.size() < columns_ || (joined.size() > columns_ && !may_have_more)) return;
    row = std::move(joined);
    lines_.erase(lines_.begin(), lines_.begin() + static_cast<int64_t>(i) + 1);
    return;
  }
}

}  // namespace nmt
