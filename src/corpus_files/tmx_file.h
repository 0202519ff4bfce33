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

/// Reads the pairs of a translation memory: from each unit (<tu>) the first variant (<tuv>) in each
/// language. Drops inline codes (<bpt>, <ept>, <it>, <ph>, <ut>), keeps highlighted text (<hi>) and
/// collapses white space. <it>, <ph> and <ut> between two words become a space. Supports expat's
/// encodings: UTF-8, UTF-16, ISO-8859-1, US-ASCII. Streams: memory does not depend on the file's
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
  /// The first variant in the language other than `taken`, or null.
  const Variant* variant_in(const std::string& language, const Variant* taken) const;
  [[noreturn]] void refuse_languages() const;

  TranslationMemory memory_;
  LineReader reader_;
  std::unique_ptr<XML_ParserStruct, void (*)(XML_ParserStruct*)> parser_;
  bool ended_ = false;
  std::string problem_;  // error found by a handler; empty: none

  std::vector<Variant> unit_;  // the variants of the current <tu>
  bool in_segment_ = false;
  int code_depth_ = 0;              // nesting depth within inline codes; 0: outside
  bool after_placeholder_ = false;  // no text since an <it>, <ph> or <ut>
  std::deque<std::pair<std::string, std::string>> pairs_;  // parsed, not yet returned

  int64_t returned_ = 0;
  int64_t skipped_ = 0;                       // units without one of the languages
  int64_t variants_ = 0;                      // left out of units with several in a language
  std::map<std::string, int64_t> languages_;  // number of units with each language
};

}  // namespace nmt
