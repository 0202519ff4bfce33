#pragma once

#include <cstddef>
#include <vector>

#include "checkpoint/calibration.h"
#include "decode/hypothesis.h"
#include "text/tokenizer.h"
#include "translate/source_line.h"
#include "translate/source_measures.h"
#include "translate/translator.h"

namespace nmt {

/// The n best combinations of the parts' hypotheses, whose scores add up: of each, the rank in
/// every part's list. `lists` are sorted, best first.
std::vector<std::vector<size_t>> best_combinations(
    const std::vector<std::vector<Hypothesis>>& lists, size_t n);

/// Sorts the candidates, highest score first (equal ones keep their order), and keeps `count` of
/// them. The first becomes the translation's text.
void keep_highest(Translation& translation, size_t count);

/// What a translator's lines have in common.
struct AssemblyContext {
  Tokenizers tokenizers;
  const Protection& protection;
  const KnownScripts& scripts;               // of the source
  const Calibration* calibration = nullptr;  // null: no confidence
};

/// A line's translation from the n-best lists of its parts.
Translation assemble(const SourceLine& line, const std::vector<std::vector<Hypothesis>>& found,
                     const AssemblyContext& context, const TranslationOptions& options);

/// Adds the words of the source, and what the model cannot know of them.
void add_source_words(const SourceLine& line, const AssemblyContext& context,
                      Translation& translation);

}  // namespace nmt
