#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "jobs/line_guides.h"
#include "jobs/shard_reader.h"
#include "translate/translator.h"

namespace nmt {

/// What is to be translated: a file line by line ("-" is standard input), or a shard of it.
struct StreamInput {
  std::filesystem::path path;
  Shard shard = {};
  bool numbered = false;  // lines count from the file's beginning, which is read for it if need be
  int64_t done = 0;       // of its lines, from the first on, need no translation any more
};

/// A line of the input.
struct SourceText {
  int64_t number = 0;  // from 1, from the shard's or the file's beginning
  const std::string& text;
  const TranslationGuide& guide;  // a free one where there are none
};

/// Is told of an input's lines in their order.
class LineSink {
 public:
  virtual ~LineSink() = default;

  /// A line that needs no translation.
  virtual void skip(const SourceText& line) = 0;

  virtual void add(const SourceText& line, const Translation& translation) = 0;

  /// What has come so far is a place to begin at again: the lines behind it will be translated
  /// together with the same others.
  virtual void pause() = 0;
};

/// Whether lines come when somebody writes them: from a terminal or pipe, not a file.
bool arrives_over_time(const std::filesystem::path& input);

/// Translates each line: one result for each, in order, always. A file is taken window by window,
/// so that memory does not grow with it; what arrives over time is answered as soon as it has come,
/// together with what is already waiting. Throws Error where there are guides and not as many as
/// lines in the whole input; of a file before anything is translated.
void translate_stream(const Translator& translator, const StreamInput& input,
                      const TranslationOptions& options, LineGuides& guides, LineSink& sink);

}  // namespace nmt
