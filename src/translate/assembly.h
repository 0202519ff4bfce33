#pragma once

#include <cstdint>
#include <vector>

#include "decode/hypothesis.h"
#include "text/tokenizer.h"
#include "translate/translator.h"
#include "translate/words.h"

namespace nmt {

/// A line made ready for translation.
struct SourceLine {
  std::vector<int32_t> tokens;
  Words words;
  std::vector<std::vector<int32_t>> parts;  // of the tokens, at least one
  std::vector<int64_t> limits;              // of each part's translation, in tokens
};

/// A line's translation from the n-best lists of its parts, the first of which is `found`.
Translation assemble(const SourceLine& line, const std::vector<Hypothesis>* found,
                     const Tokenizer& source, const Tokenizer& target,
                     const TranslationOptions& options);

}  // namespace nmt
