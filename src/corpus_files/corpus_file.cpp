#include "corpus_files/corpus_file.h"

#include <algorithm>
#include <string_view>

#include "corpus_files/tmx_file.h"
#include "data/pair_reader.h"
#include "errors/error.h"
#include "files/file.h"
#include "files/line_reader.h"
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

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const auto tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

class TabSeparatedPairs : public CorpusFile {
 public:
  explicit TabSeparatedPairs(const TabSeparatedFile& file) : file_(file), reader_(file.path) {
    reader_.require_text();
  }

  bool next(std::string& source, std::string& target) override {
    std::string line;
    if (!reader_.next(line)) return false;
    const auto fields = fields_of(line);
    const auto needed = static_cast<size_t>(std::max(file_.columns.first, file_.columns.second));
    if (fields.size() < needed) refuse(fields.size(), needed);
    source = fields[static_cast<size_t>(file_.columns.first) - 1];
    target = fields[static_cast<size_t>(file_.columns.second) - 1];
    return true;
  }

 private:
  [[noreturn]] void refuse(size_t columns, size_t needed) const {
    throw Error(file_.path.string() + ": line " + std::to_string(reader_.line_number()) + " has " +
                std::to_string(columns) + (columns == 1 ? " column" : " columns") +
                " separated by tabs, column " + std::to_string(needed) +
                " is needed; correct the file or use --columns");
  }

  TabSeparatedFile file_;
  LineReader reader_;
};

}  // namespace

std::unique_ptr<CorpusFile> open_corpus(const TextFiles& files) {
  return std::make_unique<TextPairs>(files);
}

std::unique_ptr<CorpusFile> open_corpus(const TabSeparatedFile& file) {
  return std::make_unique<TabSeparatedPairs>(file);
}

std::unique_ptr<CorpusFile> open_corpus(const TranslationMemory& memory) {
  return std::make_unique<TmxFile>(memory);
}

bool has_ending(const std::filesystem::path& file, const char* ending) {
  return to_lower(uncompressed_name(file).extension().string()) == ending;
}

}  // namespace nmt
