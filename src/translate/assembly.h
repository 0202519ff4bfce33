#pragma once

#include <cstddef>
#include <vector>

#include "checkpoint/calibration.h"
#include "decode/hypothesis.h"
#include "text/tokenizer.h"
#include "translate/engine.h"
#include "translate/source_line.h"
#include "translate/source_measures.h"
#include "translate/translator.h"

namespace nmt {

/// The n best combinations of the parts' hypotheses by the sum of their scores, each as the ranks
/// in the parts' lists. `lists` must be sorted, best first.
std::vector<std::vector<size_t>> best_combinations(const HypothesisLists& lists, size_t n);

/// Sorts the candidates stably, highest score first, and keeps `count`. The first becomes the
/// translation's text.
void keep_highest(Translation& translation, size_t count);

/// What a translator needs to assemble any line.
struct AssemblyContext {
  Tokenizers tokenizers;
  const Protection& protection;
  const KnownScripts& scripts;               // of the source
  const Calibration* calibration = nullptr;  // null: no confidence
};

/// Assembles a line's translation from the n-best lists `found` of its parts.
Translation assemble(const SourceLine& line, const HypothesisLists& found,
                     const AssemblyContext& context, const TranslationOptions& options);

/// Adds the source words, and measures and warnings about what is unknown to the model.
void add_source_words(const SourceLine& line, const AssemblyContext& context,
                      Translation& translation);

}  // namespace nmt
