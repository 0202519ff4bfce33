#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "decode/hypothesis.h"
#include "text/protected_spans.h"
#include "text/tokenizer.h"
#include "translate/assembly.h"
#include "translate/source_line.h"
#include "translate/translator.h"

namespace nmt {

/// A source and its given translation, prepared for scoring.
struct GivenPair {
  SourceLine source;  // not split into parts
  std::string target;
  std::vector<int32_t> source_tokens;  // as the model reads them, with the target language token
  std::vector<int32_t> target_tokens;

  /// The log-probability if the source is empty: only an empty translation is possible.
  double unread_log_probability() const {
    return target_tokens.empty() ? 0.0 : -std::numeric_limits<double>::infinity();
  }
};

/// Throws Error for a text of over 2000 tokens; `line` counts from 1.
GivenPair make_given_pair(const std::string& source, const std::string& target, size_t line,
                          const Tokenizers& tokenizers, const std::vector<SpanKind>& placeholders);

/// The pair as a translation with one candidate. `hypothesis` must have the target's tokens. With
/// options.words, words are those between spaces, and all with tokens are aligned.
Translation forced_translation(const GivenPair& pair, const Hypothesis& hypothesis,
                               const AssemblyContext& context, const TranslationOptions& options);

}  // namespace nmt
