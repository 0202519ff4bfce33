#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "text/placeholders.h"
#include "text/tokenizer.h"

namespace nmt {

/// How well a vocabulary covers a text.
struct VocabularyCoverage {
  double words = 0;
  int64_t tokens = 0;
  int64_t unknown = 0;                          // tokens
  int64_t unused = 0;                           // pieces that do not occur in the text
  std::vector<std::string> unknown_characters;  // the most frequent, at most ten
};

/// Tokenizes the whole file, with placeholders of the kinds for the spans that the same line of
/// `other`, the other side of the corpus, has too. Throws Error when a file cannot be read.
VocabularyCoverage measure_coverage(const std::filesystem::path& text, const Tokenizer& tokenizer,
                                    const std::filesystem::path& other = {},
                                    const std::vector<SpanKind>& placeholders = {});

}  // namespace nmt
