#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "jobs/line_guides.h"
#include "jobs/shard_reader.h"
#include "translate/translator.h"

namespace nmt {

/// A file to translate line by line ("-" is standard input), or a shard of it.
struct StreamInput {
  std::filesystem::path path;
  Shard shard = {};
  bool numbered = false;  // count lines from the start of the file, reading it if necessary
  int64_t done = 0;       // lines, from the first, that are translated already
};

/// A line of the input.
struct SourceText {
  int64_t number = 0;  // from 1, within the shard or the file
  const std::string& text;
  const TranslationConstraints& guide;  // empty without guides
};

/// Receives the lines of an input in order.
class LineSink {
 public:
  virtual ~LineSink() = default;

  /// A line that is translated already.
  virtual void skip(const SourceText& line) = 0;

  virtual void add(const SourceText& line, const Translation& translation) = 0;

  /// Translation can be resumed from here: the lines that follow will be batched in the same way.
  virtual void pause() = 0;
};

/// Whether lines arrive over time: from a terminal or a pipe, not a file.
bool arrives_over_time(const std::filesystem::path& input);

/// Translates each line: always one result per line, in order. A file is processed window by
/// window, so that memory does not grow with it; lines that arrive over time are translated at
/// once, together with those already waiting. Throws Error unless there are no guides or one for
/// each line of the whole input; for a file before anything is translated.
void translate_stream(const Translator& translator, const StreamInput& input,
                      const TranslationOptions& options, LineGuides& guides, LineSink& sink);

}  // namespace nmt
