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
  size_t word = 0;      // among the line's
  std::string text;     // of that word, without what is written to it: "Łukasz" of "Łukasz를"
  bool foreign = true;  // in a script that the source lacks
};

/// The letters and digits of each word with an unknown piece around its first unknown letter, as
/// far as they are of one script. Only of a script that the source lacks, which the model cannot
/// translate, or of one that the target has too, beginning with a capital: a rare letter in another
/// word of the source's own script is better guessed. Never within a longer word of a script
/// without spaces, since attention does not show the place.
std::vector<UnknownName> find_unknown_names(const std::vector<int32_t>& tokens, const Words& words,
                                            const Tokenizer& tokenizer,
                                            const VocabularyScripts& scripts);

/// The words of a translation with what belongs to each.
struct TargetWords {
  std::vector<std::string> texts;
  std::vector<double> log_probabilities;
  std::vector<std::vector<float>> attention;  // a row for each; a weight for each source word of
                                              // the part, from the line's word `first_source` on
  size_t first_source = 0;
};

/// Copies each name of the part to where attention points: in place of the words that attend to it
/// most, keeping their punctuation; where none does, after the words of what precedes it. Left out
/// are names that the translation has already, and those that are not foreign where the model is
/// sure of its own word ("Christmas" for "Noël"). Returns whether it changed anything.
bool copy_names(const std::vector<UnknownName>& names, TargetWords& target);

}  // namespace nmt
