#pragma once

#include <string>
#include <vector>

#include "explain/explanation.h"

namespace nmt {

/// none, dot, general, additive, scaled-dot and multi-head, as model.attention names them.
const std::vector<std::string>& attention_kinds();

/// Words that attend to each other.
struct WalkInput {
  std::vector<std::string> words;
  Matrix vectors;  // [words, 4]
  Text origin;     // of the vectors
};

/// Three inputs that a reader can follow by hand.
WalkInput example_input();

/// The words of a sentence with their word_vector. Throws Error as words_to_explain does.
WalkInput sentence_input(const std::string& sentence);

/// Self-attention of one kind, step by step. Causal: no word attends to later ones.
/// Throws UsageError for another kind, and for `none` with causal.
Explanation walk_attention(const std::string& kind, const WalkInput& input, bool causal = false);

}  // namespace nmt
