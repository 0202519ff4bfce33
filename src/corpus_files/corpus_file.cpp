#include "corpus_files/corpus_file.h"

#include <algorithm>
#include <vector>

#include "corpus_files/table_reader.h"
#include "corpus_files/tmx_file.h"
#include "data/pair_reader.h"
#include "errors/counted.h"
#include "errors/error.h"
#include "files/file.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

class TextPairs : public CorpusFile {
 public:
  explicit TextPairs(const TextFiles& files) : reader_(files.source, files.target) {}

  bool next(std::string& source, std::string& target) override {
    return reader_.next(source, target);
  }

 private:
  PairReader reader_;
};

class TablePairs : public CorpusFile {
 public:
  explicit TablePairs(const TabSeparatedFile& file)
      : file_(file),
        needed_(static_cast<size_t>(std::max(file.columns.first, file.columns.second))),
        format_(format_of(file.path, needed_)),
        reader_(file.path, format_, needed_) {
    std::vector<TableCell> header;
    if (file.header) reader_.next(header);
  }

  bool next(std::string& source, std::string& target) override {
    std::vector<TableCell> row;
    do {
      if (!reader_.next(row)) return false;
    } while (is_skipped(row));
    if (row.size() < needed_) refuse(row.size());
    if (format_.delimiter != '\t' && row.size() > reader_.columns()) refuse_more(row.size());
    source = take(row, file_.columns.first);
    target = take(row, file_.columns.second);
    return true;
  }

  std::string skipped() const override {
    return blank_rows_ == 0 ? "" : counted(blank_rows_, "blank row");
  }

  std::string note() const override {
    if (unquoted_ == 0 || format_.delimiter != '\t') return "";
    return shown_name(file_.path) +
           ": quoted by a spreadsheet; removed the quotation marks around " +
           counted(unquoted_, "cell");
  }

 private:
  bool is_skipped(const std::vector<TableCell>& row) {
    const bool one_column = row.size() == 1 && needed_ > 1;
    // Spreadsheets write blank rows of a .csv so. Pairs of tab-separated text may be empty.
    const bool may_be_blank = one_column || format_.delimiter != '\t';
    const bool blank = may_be_blank && std::all_of(row.begin(), row.end(), [](const auto& cell) {
                         return split_whitespace(cell.text).empty();
                       });
    if (blank) ++blank_rows_;
    return blank;
  }

  std::string take(const std::vector<TableCell>& row, int column) {
    const auto& cell = row[static_cast<size_t>(column) - 1];
    if (cell.quoted) ++unquoted_;
    return cell.text;
  }

  [[noreturn]] void refuse(size_t columns) const {
    const auto* separators = format_.delimiter == '\t'  ? "tabs"
                             : format_.delimiter == ';' ? "semicolons"
                                                        : "commas";
    const auto line = reader_.line_number();
    const bool no_table = line == 1 && columns == 1;
    throw Error(shown_name(file_.path) + ": line " + std::to_string(line) + " has " +
                counted(static_cast<int64_t>(columns), "column") + " separated by " + separators +
                ", column " + std::to_string(needed_) + " is needed; " +
                (no_table ? "save the table as tab-separated text or .csv, in UTF-8"
                          : "correct the file or use --columns"));
  }

  /// A sentence with a comma is not quoted, and would become two cells.
  [[noreturn]] void refuse_more(size_t columns) const {
    throw Error(shown_name(file_.path) + ": line " + std::to_string(reader_.line_number()) +
                " has " + counted(static_cast<int64_t>(columns), "column") +
                ", but the first row " + std::to_string(reader_.columns()) +
                "; quote cells that contain the delimiter");
  }

  TabSeparatedFile file_;
  size_t needed_;
  TableFormat format_;
  TableReader reader_;
  int64_t blank_rows_ = 0;
  int64_t unquoted_ = 0;
};

}  // namespace

std::unique_ptr<CorpusFile> open_corpus(const TextFiles& files) {
  return std::make_unique<TextPairs>(files);
}

std::unique_ptr<CorpusFile> open_corpus(const TabSeparatedFile& file) {
  return std::make_unique<TablePairs>(file);
}

std::unique_ptr<CorpusFile> open_corpus(const TranslationMemory& memory) {
  return std::make_unique<TmxFile>(memory);
}

bool has_ending(const std::filesystem::path& file, const char* ending) {
  return to_lower(uncompressed_name(file).extension().string()) == ending;
}

}  // namespace nmt
