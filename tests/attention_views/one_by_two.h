#pragma once

#include "translate/translator.h"

namespace nmt {

/// A translation of two words into one, which attends to the first with the weight `left`.
inline Translation one_by_two(float left) {
  Translation translation;
  translation.source_words = {"저는", "도서관에서"};
  TranslationCandidate candidate;
  candidate.words = {"I"};
  candidate.word_attention = {{left, 1.0F - left}};
  candidate.alignment = {{0, 0}};
  translation.candidates = {candidate};
  return translation;
}

}  // namespace nmt
