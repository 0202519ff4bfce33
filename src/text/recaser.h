#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"
#include "unicode/letter_case.h"

namespace nmt {

/// Brings text in capitals or title case back to the case of a model's training text: each word
/// with a capital gets the case in which the vocabulary spells it most likely, so that German nouns
/// keep theirs. In an ordinary sentence, only words of at least four letters in capitals (two if
/// half of the sentence is in capitals) that the vocabulary knows in another case: "ROTEN". Safe
/// for several threads at once.
class Recaser {
 public:
  explicit Recaser(const Tokenizer& tokenizer);

  /// The sentence in ordinary case, with white space unchanged. nullopt if this is not likelier by
  /// the vocabulary, e.g. because it was trained on text in capitals.
  std::optional<std::string> ordinary(std::string_view sentence, LetterCase letter_case) const;

 private:
  double score(const std::string& word) const;
  bool is_far_shorter(const std::string& spelling, const std::string& in_capitals) const;

  Tokenizer tokenizer_;
  std::vector<double> log_probabilities_;  // natural, by token id
};

}  // namespace nmt
