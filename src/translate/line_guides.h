#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "support/sha256.h"
#include "translate/translator.h"

namespace nmt {

/// The guides of a file's lines, from files beside it that have a line for each of its lines.
class LineGuides {
 public:
  LineGuides() = default;

  /// `prefixes` holds a beginning a line, `constraints` words and phrases, tab-separated; an empty
  /// path is none, an empty line free. Throws Error when they can't be read or have unequal
  /// numbers of lines.
  LineGuides(const std::filesystem::path& prefixes, const std::filesystem::path& constraints);

  bool empty() const { return names_.empty(); }
  size_t size() const { return guides_.size(); }

  /// SHA-256 of the files' lines.
  std::string fingerprint() const { return content_.hexadecimal(); }

  /// Throws Error unless `input` has as many lines as there are guides.
  void require_lines(const std::filesystem::path& input, size_t num_lines) const;

  /// Of `count` lines from `first` on; none where there are none at all.
  std::vector<TranslationGuide> slice(size_t first, size_t count) const;

 private:
  std::vector<std::string> load(const std::filesystem::path& path);

  std::string names_;  // of the files; empty where there are none
  std::vector<TranslationGuide> guides_;
  Sha256 content_;
};

}  // namespace nmt
