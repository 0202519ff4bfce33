#pragma once

#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace nmt {

/// A sentence as a model reads it, and what was taken from its edges or added to them.
struct FamiliarSentence {
  std::string text;              // what the model reads
  std::string first_marks = {};  // taken from its beginning
  std::string last_marks = {};  // taken from its end; those after a space, such as ":)", are a word
  std::string carrier = {};     // the sentence mark added there; the translation ends with one, too
  bool capitalized = false;     // it began in lower case
};

/// How the source sentences of a model's training text begin and end (text/line_statistics.h). A
/// model reads a sentence of another form badly: without the full stop that all others have, it
/// does not know where to end.
class SentenceForm {
 public:
  SentenceForm() = default;
  SentenceForm(const std::vector<std::string>& final_marks, bool capitals);

  /// The sentence in the form that the model knows. Unfamiliar marks are those that the vocabulary
  /// does not have and, if there are final marks, all others at the end, and quotes, brackets and
  /// asterisks at the beginning, unless sentences often end with such marks. Marks that may pair
  /// with others in the sentence, or with text left out if it `has_gaps`, are kept. If there are
  /// final marks, "..." and "?!" are unfamiliar, too. In place of a sentence mark that was taken
  /// or, if there are final marks, of a missing one, the model reads one that it knows.
  FamiliarSentence familiar(const std::string& sentence, const Tokenizer& tokenizer,
                            bool has_gaps = false) const;

 private:
  std::u32string final_marks_;  // most frequent first; empty: of any kind
  bool capitals_ = false;       // sentences begin with a capital
};

/// The word in lower case if the vocabulary has it so, unlike names, German nouns and the English
/// "I".
std::string begun_in_lower_case(const std::string& word, const Tokenizer& tokenizer);

}  // namespace nmt
