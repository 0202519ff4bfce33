#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "files/output_file.h"
#include "translate/translator.h"

namespace nmt {

/// Pictures of the attention of many sentences in one file that needs no other. What it is its name
/// says:
///
///   .html  a page: a list to choose a sentence from, which is drawn then, however many there are
///   .svg   one matrix a sentence, below each other
///   .json  an array of what `nmt translate --json --attention` writes
///
/// The translations have to have attention and words.
class AttentionFile {
 public:
  /// Throws UsageError for another ending, Error when the file cannot be made.
  explicit AttentionFile(const std::filesystem::path& path);

  void add(int64_t number, const std::string& source, const Translation& translation);

  /// Ends the file and gives it its name. Without this, nothing of it stays.
  void finish();

 private:
  enum class Form { kHtml, kSvg, kJson };

  static Form form_of(const std::filesystem::path& path);
  void add_picture(int64_t number, const std::string& source, const Translation& translation);

  Form form_;
  OutputFile file_;
  bool first_ = true;

  // SVG: the pictures, which the size of all has to stand before.
  std::string pictures_;
  double width_ = 0.0;
  double height_ = 0.0;
};

}  // namespace nmt
