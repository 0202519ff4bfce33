#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "files/output_file.h"
#include "translate/translator.h"

namespace nmt {

/// The attention of many sentences in one self-contained file. The extension selects the format:
///
///   .html  a page with a list of sentences, which draws the selected one
///   .svg   one matrix per sentence, one below the other
///   .json  an array of the objects that `nmt translate --json --attention` prints
///
/// The translations must include attention and words.
class AttentionFile {
 public:
  /// Throws UsageError for another extension, Error if the file cannot be created.
  explicit AttentionFile(const std::filesystem::path& path);

  void add(int64_t number, const std::string& source, const Translation& translation);

  /// Completes the file and gives it its final name. Without this call, the file is discarded.
  void finish();

 private:
  enum class Form { kHtml, kSvg, kJson };

  static Form form_of(const std::filesystem::path& path);
  void add_picture(int64_t number, const std::string& source, const Translation& translation);

  Form form_;
  OutputFile file_;
  bool first_ = true;

  // SVG: the pictures are written last, since the total size precedes them.
  std::string pictures_;
  double width_ = 0.0;
  double height_ = 0.0;
};

}  // namespace nmt
