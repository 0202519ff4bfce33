#pragma once

#include <string>
#include <vector>

#include "text/sentence_key.h"

namespace nmt {

/// Properties of a text's lines that determine how to split other text into sentences, and what
/// ends these.
struct LineStatistics {
  bool paragraphs = false;  // more than half of the lines have several sentences

  /// At most 100 words, the most frequent first. Each begins at least 20 lines and rarely (0.5 %)
  /// occurs elsewhere with a capital letter. None if fewer than 0.2 % of the lines end
  /// without a sentence mark: marks are then enough to find sentences.
  std::vector<std::string> sentence_starters;

  /// The sentence marks that end at least 0.1 % of the lines, before any closing quotes and
  /// brackets, and those quotes and brackets that end at least 1 %; most frequent first. None if
  /// at least 1 % of the lines end without a sentence mark.
  std::vector<std::string> final_marks;

  bool capitals = false;  // at most 0.1 % of the lines begin in lower case, most with a capital
};

/// Measures the first 200,000 lines of the files, without held-out sentences. Throws Error when a
/// file cannot be read.
LineStatistics measure_lines(const std::vector<std::string>& texts,
                             const HeldOutSentences& held_out = {});

}  // namespace nmt
