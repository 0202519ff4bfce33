#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "corpus_files/corpus_file.h"
#include "files/line_reader.h"

struct XML_ParserStruct;

namespace nmt {

/// The pairs of a translation memory: of each unit (<tu>) the first variants (<tuv>) in both
/// languages. Codes of other formats within a segment (<bpt>, <ept>, <it>, <ph>, <ut>) are dropped,
/// marked text (<hi>) is kept; runs of white space become one space. Any encoding that expat knows:
/// UTF-8, UTF-16, ISO-8859-1, US-ASCII. Reads as it goes; memory does not depend on the file's
/// size.
class TmxFile : public CorpusFile {
 public:
  explicit TmxFile(const TranslationMemory& memory);
  ~TmxFile() override;

  /// Throws Error also at the end of a file that has units but no pair.
  bool next(std::string& source, std::string& target) override;

  std::string skipped() const override;

 private:
  struct Handlers;

  struct Variant {
    std::string language;  // as the file writes it
    std::string text;
  };

  bool parse_block();
  [[noreturn]] void refuse(const std::string& problem) const;
  void end_unit();
  /// Null if there is none but `taken`.
  const Variant* variant_in(const std::string& language, const Variant* taken) const;
  [[noreturn]] void refuse_languages() const;

  TranslationMemory memory_;
  LineReader reader_;
  std::unique_ptr<XML_ParserStruct, void (*)(XML_ParserStruct*)> parser_;
  bool ended_ = false;
  std::string problem_;  // that a handler found

  std::vector<Variant> unit_;  // the variants of the current <tu>
  bool in_segment_ = false;
  int code_depth_ = 0;  // open elements from the outermost code inward
  std::deque<std::pair<std::string, std::string>> pairs_;  // parsed, not yet returned

  int64_t returned_ = 0;
  int64_t skipped_ = 0;                       // units without one of the languages
  std::map<std::string, int64_t> languages_;  // units that have each
};

}  // namespace nmt
