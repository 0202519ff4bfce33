#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "data/pair_reader.h"

namespace nmt {

/// A parallel corpus in one file or two, plain or gzip-compressed, read pair by pair.
class CorpusFile {
 public:
  virtual ~CorpusFile() = default;

  /// False at the end. Throws Error that names the file and the line of what cannot be read.
  virtual bool next(std::string& source, std::string& target) = 0;

  /// What next() has skipped, for a summary; empty: nothing.
  virtual std::string skipped() const { return ""; }

  /// What next() has changed, as a line of the summary; empty: nothing.
  virtual std::string note() const { return ""; }
};

/// Tab-separated text or .csv, a pair per row.
struct TabSeparatedFile {
  std::filesystem::path path;
  std::pair<int, int> columns = {1, 2};  // of source and target, from 1
  bool header = false;                   // the first row holds no pair
};

/// A translation memory (TMX 1.1 to 1.4b).
struct TranslationMemory {
  std::filesystem::path path;
  // "de" matches any German variant and prefers one without a region; "de-AT" matches only
  // Austrian.
  std::pair<std::string, std::string> languages;
};

/// Open a corpus of each kind. Throw Error when a file cannot be read, UsageError if both sides
/// name the same language.
std::unique_ptr<CorpusFile> open_corpus(const TextFiles& files);
std::unique_ptr<CorpusFile> open_corpus(const TabSeparatedFile& file);
std::unique_ptr<CorpusFile> open_corpus(const TranslationMemory& memory);

/// Whether the name has this ending, ignoring case and a final .gz: has_ending("a.TMX.gz", ".tmx").
bool has_ending(const std::filesystem::path& file, const char* ending);

}  // namespace nmt
