#pragma once

#include <string>
#include <vector>

#include "attentions/equations.h"

namespace nmt {

/// Splits at white space. Throws Error for no words and for more than 32, too many to read.
std::vector<std::string> words_to_explain(const std::string& sentence);

/// A word for display: shortened, with invalid UTF-8 and control characters replaced.
std::string word_label(const std::string& word);
std::vector<std::string> word_labels(const std::vector<std::string>& words);

/// Four numbers from 0 to 2, not all 0, hashed from the word's bytes.
Row word_vector(const std::string& word);

}  // namespace nmt
