#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "files/line_reader.h"
#include "translate/translator.h"

namespace nmt {

/// The lines of a file beside the input, taken from the first to the last. Memory does not grow
/// with the file, unless it is a pipe.
class GuideFile {
 public:
  /// Reads it through once. Throws Error also on bad UTF-8, naming line and byte.
  explicit GuideFile(const std::filesystem::path& path);

  const std::string& name() const { return name_; }
  size_t size() const { return size_; }

  /// A line, counted from 0, not before the one that was asked for last.
  const std::string& line(size_t number);

 private:
  std::string name_;
  size_t size_ = 0;
  std::vector<std::string> kept_;  // of what can be read only once
  std::unique_ptr<LineReader> reader_;
  std::string line_;
};

/// The guides of a file's lines, from files beside it that have a line for each of its lines.
class LineGuides {
 public:
  LineGuides() = default;

  /// `prefixes` holds a beginning a line, `constraints` words and phrases, tab-separated; an empty
  /// path is none, an empty line free. Throws Error when they can't be read or have unequal
  /// numbers of lines.
  LineGuides(const std::filesystem::path& prefixes, const std::filesystem::path& constraints);

  bool empty() const { return prefixes_ == nullptr && constraints_ == nullptr; }
  size_t size() const;

  /// Throws Error unless `input` has as many lines as there are guides.
  void require_lines(const std::filesystem::path& input, size_t num_lines) const;

  /// Of `count` lines from `first` on, which is not before those that were asked for last; none
  /// where there are none at all.
  std::vector<TranslationGuide> slice(size_t first, size_t count);

 private:
  std::string names() const;

  std::unique_ptr<GuideFile> prefixes_;
  std::unique_ptr<GuideFile> constraints_;
};

}  // namespace nmt
