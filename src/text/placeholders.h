#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/protected_spans.h"
#include "text/sentence_key.h"
#include "text/tokenizer.h"

namespace nmt {

// Placeholders replace URLs, e-mail addresses and emoji in what a model reads and writes. It learns
// only where they belong, and the translation copies the original text. Each placeholder is one
// character of Unicode's private use area and one piece of the vocabulary.

/// The placeholder of a kind; empty for the kinds that have none.
std::string_view placeholder_of(SpanKind kind);

/// The text with placeholders for its spans of the kinds.
std::string with_placeholders(const std::string& text, const std::vector<SpanKind>& kinds);

/// A sentence pair with placeholders for the spans that both sides have.
struct SentencePair {
  std::string source;
  std::string target;
};
SentencePair with_placeholders(const SentencePair& pair, const std::vector<SpanKind>& kinds);

/// Replaces the placeholders in a translation by the spans of `source`, for each kind in order.
std::string without_placeholders(std::string translation, const std::string& source,
                                 const std::vector<SpanKind>& kinds);

/// The kinds with a placeholder in both vocabularies.
std::vector<SpanKind> placeholders_of(const Tokenizers& tokenizers);

/// The kinds that at least 100 pairs have on both sides; fewer would not teach the model anything.
/// Examines the first two million lines, without pairs that contain a held-out sentence. Throws
/// Error when a file cannot be read or is not text in UTF-8.
std::vector<SpanKind> find_placeholders(const std::vector<std::string>& sources,
                                        const std::vector<std::string>& targets,
                                        const HeldOutSentences& held_out = {});

}  // namespace nmt
