#pragma once

#include <string>
#include <vector>

#include "translate/translator.h"

namespace nmt {

/// What a picture of attention shows: a row for each word of the translation, a column for each of
/// the source. Where a language is written without spaces, the tokens stand for words.
struct AttentionMatrix {
  std::vector<std::string> source;
  std::vector<std::string> target;
  std::vector<std::vector<float>> weights;  // in [0, 1]
};

/// Of the best candidate; empty where there is nothing to attend to, or far too much to see. The
/// translation has to have been asked for with TranslationOptions::attention and words.
AttentionMatrix attention_matrix(const Translation& translation);

}  // namespace nmt
