#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"
#include "translate/words.h"
#include "unicode/scripts.h"

namespace nmt {

/// The scripts that a vocabulary knows: those of at least one in 200 letters of its pieces.
class KnownScripts {
 public:
  explicit KnownScripts(const Tokenizer& tokenizer);
  bool has(Script script) const { return known_[static_cast<size_t>(script)]; }

 private:
  std::array<bool, kNumScripts> known_{};
};

/// The scripts that a model's vocabularies know.
struct VocabularyScripts {
  KnownScripts source;
  KnownScripts target;
};

/// From this share of foreign letters on, a text counts as foreign.
constexpr double kForeign = 0.5;

/// The letters of a text in unknown scripts.
struct ForeignLetters {
  double share = 0.0;              // share of the letters in unknown scripts
  Script script = Script::kOther;  // the most frequent of these scripts
};
ForeignLetters foreign_letters(const std::vector<std::string>& texts, const KnownScripts& known);

/// How much of a text is unknown to its model.
struct SourceMeasures {
  std::vector<std::string> unknown_words;  // as written; those with an unknown piece
  double unknown_share = 0.0;              // share of the tokens
  ForeignLetters foreign;                  // of the words that the model reads
};

/// `words`: the words of `tokens`.
SourceMeasures measure_source(const std::vector<int32_t>& tokens, const Words& words,
                              const Tokenizer& tokenizer, const KnownScripts& known);

/// Whether a token stands for an unknown character: kUnknownId or a byte piece.
bool is_unknown_piece(int32_t token, const Tokenizer& tokenizer);
bool has_unknown_piece(const std::vector<int32_t>& tokens, const Tokenizer& tokenizer);

/// Whether the tokenizer reads such a token in this text, or in this character alone.
bool has_unknown_piece(std::string_view text, const Tokenizer& tokenizer);
bool is_unknown_character(char32_t code, const Tokenizer& tokenizer);

/// The kJoiningSymbols (text/sentence_splitter.h) that the vocabulary does not have. None for one
/// of tokens: its text is divided by other rules.
std::u32string unknown_joining_symbols(const Tokenizer& tokenizer);

}  // namespace nmt
