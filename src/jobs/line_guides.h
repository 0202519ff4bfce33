#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "files/line_reader.h"
#include "translate/translator.h"

namespace nmt {

/// The lines of a file that accompanies the input. Read in order without keeping the file in
/// memory, unless it is a pipe.
class GuideFile {
 public:
  /// Reads the whole file once to check it. Throws Error, on bad UTF-8 with line and byte.
  explicit GuideFile(const std::filesystem::path& path);

  const std::string& name() const { return name_; }
  size_t size() const { return size_; }

  /// Line `number`, from 0. Numbers must not decrease from call to call.
  const std::string& line(size_t number);

 private:
  std::string name_;
  size_t size_ = 0;
  std::vector<std::string> kept_;  // all lines, if it is a pipe
  std::unique_ptr<LineReader> reader_;
  std::string line_;
};

/// The constraints and the reference for one line of the input.
struct LineGuide {
  TranslationConstraints constraints;
  std::string reference;
};

/// The files that accompany the input; an empty path is none.
struct GuideFiles {
  std::filesystem::path prefixes;     // a target prefix per line
  std::filesystem::path constraints;  // tab-separated words and phrases
  std::filesystem::path references;

  /// The paths that are not empty.
  std::vector<std::filesystem::path> names() const;
};

/// The guides of all lines of the input, from files that pair with it line by line.
class LineGuides {
 public:
  LineGuides() = default;

  /// A line or phrase of only spaces counts as empty: no constraint. Throws Error when files cannot
  /// be read or differ in their number of lines.
  explicit LineGuides(const GuideFiles& files);

  bool empty() const { return files().empty(); }
  size_t size() const { return empty() ? 0 : files().front()->size(); }

  /// Throws Error unless there is a guide for each line of `input`.
  void require_lines(const std::filesystem::path& input, size_t num_lines) const;

  /// The guides of `count` lines from `first`, which must not precede the end of the previous
  /// slice. Empty if empty().
  std::vector<LineGuide> slice(size_t first, size_t count);

 private:
  std::vector<const GuideFile*> files() const;

  std::unique_ptr<GuideFile> prefixes_;
  std::unique_ptr<GuideFile> constraints_;
  std::unique_ptr<GuideFile> references_;
};

}  // namespace nmt
