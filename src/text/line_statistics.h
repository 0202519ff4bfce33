#pragma once

#include <string>
#include <vector>

#include "text/sentence_key.h"

namespace nmt {

/// How the lines of a text are to be split into sentences.
struct LineStatistics {
  bool paragraphs = false;  // more than half of the lines have several sentences

  /// At most 100 words, the most frequent first, each of which begins at least 20 lines and hardly
  /// ever stands elsewhere with a capital letter (0.5 %). None where fewer than 0.2 % of the lines
  /// end without a mark: sentences are then found by their marks.
  std::vector<std::string> sentence_starters;
};

/// Of the first 200,000 lines of the files, without held-out sentences. Throws Error when one
/// cannot be read.
LineStatistics measure_lines(const std::vector<std::string>& texts,
                             const HeldOutSentences& held_out = {});

}  // namespace nmt
