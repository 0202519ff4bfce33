#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "explain/attention_equations.h"

namespace nmt {

/// What spaces part. At most 32, for a person is to read every number. Throws Error for more, and
/// for none.
std::vector<std::string> words_to_explain(const std::string& sentence);

/// A word as it is shown: what is not UTF-8 and what would steer a terminal replaced, and not long.
std::string word_label(const std::string& word);

/// Four numbers from 0 to 2, not all 0, made of the word's bytes: the same word has the same ones,
/// everywhere. They mean nothing.
Row word_vector(const std::string& word);

}  // namespace nmt
