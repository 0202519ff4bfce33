#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "files/line_reader.h"

namespace nmt {

/// A position in two texts.
struct TextPlace {
  int64_t lines = 0;
  int64_t source_bytes = 0;  // uncompressed
  int64_t target_bytes = 0;
  int64_t alignment_bytes = 0;  // of files that accompany them line by line; 0 without
  int64_t weight_bytes = 0;
};

/// Two text files, line by line side by side.
class PairReader {
 public:
  /// Starts after a place that a reader of the same files returned. Throws Error for files that
  /// cannot be read or are not text.
  PairReader(const std::filesystem::path& source, const std::filesystem::path& target,
             const TextPlace& after = {});

  /// False at the end of both. Throws Error when reading fails or only one file ends; for files
  /// that can be read again, the message says near which line one seems to be missing. The content
  /// of lines is not checked.
  bool next(std::string& source, std::string& target);

  /// The position after the pair last returned.
  TextPlace place() const;

 private:
  std::filesystem::path source_path_;
  std::filesystem::path target_path_;
  LineReader source_;
  LineReader target_;
};

/// Two texts that pair line by line.
struct TextFiles {
  std::filesystem::path source;
  std::filesystem::path target;
};

/// "SOURCE and TARGET", or the one text of a language model.
std::string corpus_name(const std::filesystem::path& source, const std::filesystem::path& target);

/// Throws Error for a corpus of no lines.
void require_not_empty(const std::filesystem::path& source, const std::filesystem::path& target,
                       int64_t lines);

/// Receives a pair of lines and their number, from 1.
using PairLines =
    std::function<void(int64_t number, const std::string& source, const std::string& target)>;

/// Calls visit for every pair of lines. Throws Error as PairReader does.
void for_each_pair(const std::filesystem::path& source, const std::filesystem::path& target,
                   const PairLines& visit);

}  // namespace nmt
