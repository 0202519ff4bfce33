#pragma once

#include <string>
#include <utility>
#include <vector>

#include "translate/translator.h"

namespace nmt {

/// One with 2 source words of 3 tokens and as many target words of 2 tokens, and their attention.
inline Translation some_translation(const std::string& text = "a b") {
  TranslationCandidate best;
  best.text = text;
  best.tokens = {"▁a", "▁b"};
  best.token_log_probabilities = {-0.1, -0.2, -0.3};
  best.attention = {{0.1F, 0.2F, 0.7F}, {0.8F, 0.2F, 0.0F}, {0.3F, 0.3F, 0.4F}};
  best.words = {"a", "b"};
  best.word_log_probabilities = {-0.1, -0.2, -0.3};
  best.word_attention = {{0.3F, 0.7F}, {1.0F, 0.0F}};
  best.alignment = {{1, 0}, {0, 1}};
  Translation translation;
  translation.text = text;
  translation.source_tokens = {"▁x", "y", "▁z"};
  translation.source_words = {"xy", "z"};
  translation.candidates = {std::move(best)};
  return translation;
}

}  // namespace nmt
