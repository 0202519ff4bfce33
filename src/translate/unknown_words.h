#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer.h"
#include "translate/source_measures.h"
#include "translate/words.h"

namespace nmt {

/// A name in characters that the vocabulary lacks, to be copied.
struct UnknownName {
  size_t word = 0;      // index in the line
  std::string text;     // the name without attached text: "Łukasz" for "Łukasz를"
  bool foreign = true;  // in a script unknown to the source vocabulary
};

/// For each word with an unknown piece: the run of letters and numbers of one script around its
/// first unknown letter, across single marks within the name ("Jean-Luc", "AT&T"). Only if the
/// script is unknown to the source vocabulary, so that the model cannot translate it, or if the
/// target has the script too and the run begins with a capital; other words with a rare letter are
/// better left to the model. Never within a longer word of a script without spaces, where attention
/// cannot locate it. A whole word of unknown signs for numbers, such as ፳፫, is a name, too.
std::vector<UnknownName> find_unknown_names(const std::vector<int32_t>& tokens, const Words& words,
                                            const Tokenizer& tokenizer,
                                            const VocabularyScripts& scripts);

/// The words of a translation with their log-probabilities and attention.
struct TargetWords {
  std::vector<std::string> texts;
  std::vector<double> log_probabilities;
  std::vector<std::vector<float>> attention;  // [words, source words from first_source]
  size_t first_source = 0;
};

void erase_word(TargetWords& target, size_t word);

/// The word with the text between its outer marks replaced by the name.
std::string with_name(const std::string& word, const std::string& name);

/// The word from its first to its last character that a name may begin and end with; the whole word
/// if it has none.
std::string without_outer_marks(const std::string& word);

/// Copies each name of the part into the translation: in place of the number that it begins with,
/// or else of the words that attend most to it, keeping their punctuation; if there are none, after
/// the translation of the preceding source words. Skips names that the translation contains as
/// often as the source, and non-foreign names where the model is sure of its own word ("Christmas"
/// for "Noël"). Returns whether anything changed.
bool copy_names(const std::vector<UnknownName>& names, TargetWords& target);

}  // namespace nmt
