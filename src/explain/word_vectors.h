#pragma once

#include <string>
#include <vector>

#include "attentions/equations.h"
#include "text/target_languages.h"
#include "text/tokenizer.h"

namespace nmt {

/// Splits at white space. Throws Error if there are no words, or more than 32: too many to read.
std::vector<std::string> words_to_explain(const std::string& sentence);

/// The words with a space between two.
std::string joined_words(const std::vector<std::string>& words);

/// Ids of the sentence's tokens; with `languages`, the token of the target language is one of them.
/// Throws Error, with `name` for the sentence, if there are none or more than 64.
std::vector<int32_t> tokens_to_explain(const Tokenizer& tokenizer, const std::string& sentence,
                                       const TargetLanguages& languages = {},
                                       const std::string& name = "the sentence");

/// A word for display: shortened, with invalid UTF-8 and control characters replaced.
std::string word_label(const std::string& word);
std::vector<std::string> word_labels(const std::vector<std::string>& words);

/// Four numbers from 0 to 2, not all 0, hashed from the word's bytes.
Row word_vector(const std::string& word);

}  // namespace nmt
