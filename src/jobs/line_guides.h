#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "files/line_reader.h"
#include "translate/translator.h"

namespace nmt {

/// The lines of a file that accompanies the input, read in order; only a pipe is kept in memory.
class GuideFile {
 public:
  /// Reads all of it once. Throws Error also on bad UTF-8, naming line and byte.
  explicit GuideFile(const std::filesystem::path& path);

  const std::string& name() const { return name_; }
  size_t size() const { return size_; }

  /// A line, counted from 0; never before the previous one.
  const std::string& line(size_t number);

 private:
  std::string name_;
  size_t size_ = 0;
  std::vector<std::string> kept_;  // of a pipe
  std::unique_ptr<LineReader> reader_;
  std::string line_;
};

/// What is given with a line of the input.
struct LineGuide {
  TranslationConstraints constraints;
  std::string reference;
};

/// Files of guides; an empty path is none.
struct GuideFiles {
  std::filesystem::path prefixes;     // a target prefix per line
  std::filesystem::path constraints;  // tab-separated words and phrases
  std::filesystem::path references;

  /// Those that there are.
  std::vector<std::filesystem::path> names() const;
};

/// The guides of an input's lines, from files with one line per line of the input.
class LineGuides {
 public:
  LineGuides() = default;

  /// A line or phrase of spaces guides nothing, like an empty one. Throws Error when files cannot
  /// be read or differ in their number of lines.
  explicit LineGuides(const GuideFiles& files);

  bool empty() const { return files().empty(); }
  size_t size() const { return empty() ? 0 : files().front()->size(); }

  /// Throws Error unless there is a guide for each line of `input`.
  void require_lines(const std::filesystem::path& input, size_t num_lines) const;

  /// The guides of `count` lines from `first`, which never precedes the previous slice; none when
  /// there are no guides at all.
  std::vector<LineGuide> slice(size_t first, size_t count);

 private:
  std::vector<const GuideFile*> files() const;

  std::unique_ptr<GuideFile> prefixes_;
  std::unique_ptr<GuideFile> constraints_;
  std::unique_ptr<GuideFile> references_;
};

}  // namespace nmt
