#pragma once

#include <string>
#include <vector>

#include "translate/translator.h"

namespace nmt {

/// Attention to draw: a row for each word of the translation, a column for each source word. For
/// languages written without spaces, tokens take the place of words.
struct AttentionMatrix {
  std::vector<std::string> source;
  std::vector<std::string> target;
  std::vector<std::vector<float>> weights;  // in [0, 1]
};

/// The attention of the best candidate; empty without attention or for more than 250,000 cells. The
/// translation must include attention and words (TranslationOptions).
AttentionMatrix attention_matrix(const Translation& translation);

}  // namespace nmt
