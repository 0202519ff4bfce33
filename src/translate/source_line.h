#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/sentence_splitter.h"
#include "text/tokenizer.h"
#include "translate/translator.h"
#include "translate/words.h"

namespace nmt {

/// What is translated by itself: a sentence, or part of one that is too long.
struct SourcePart {
  std::vector<int32_t> tokens;
  std::string before = {};  // joins its translation to the one before
  int64_t limit = 0;        // of its translation, in tokens
};

/// A line made ready for translation.
struct SourceLine {
  std::vector<int32_t> tokens;    // of all parts
  Words words;                    // of all parts, where options ask for them
  std::vector<SourcePart> parts;  // at least one, possibly empty; without limits
};

/// Splits as the options say, whose `split` is not kModel. Lines of more than
/// options.max_source_length tokens, or sentences if these are split, are split after each sentence
/// mark, else before the last word that fits, else anywhere; with LineSplit::kNone those of more
/// than 2000.
SourceLine make_source_line(const std::string& text, const TranslationOptions& options,
                            const SentenceStarters& starters, const Tokenizer& tokenizer);

}  // namespace nmt
