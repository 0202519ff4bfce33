#pragma once

#include <string>

#include "attentions/attention_kind.h"
#include "attentions/walk.h"
#include "explain/explanation.h"

namespace nmt {

/// Three inputs that a reader can follow by hand.
WalkInput example_input();

/// The words of a sentence with their word_vector. Throws Error as words_to_explain does.
WalkInput sentence_input(const std::string& sentence);

/// Explains self-attention of the words, of this kind, step by step.
Explanation walk_attention(const AttentionKind& kind, const WalkInput& input);

}  // namespace nmt
