#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer.h"
#include "translate/words.h"
#include "unicode/scripts.h"

namespace nmt {

/// The scripts that a vocabulary has pieces in, beyond strays: at least one in 200 of their
/// letters.
class KnownScripts {
 public:
  explicit KnownScripts(const Tokenizer& tokenizer);
  bool has(Script script) const { return known_[static_cast<size_t>(script)]; }

 private:
  std::array<bool, kNumScripts> known_{};
};

/// Of a model's vocabularies.
struct VocabularyScripts {
  KnownScripts source;
  KnownScripts target;
};

/// From this share on, a text's letters are mostly in scripts that its model does not know.
constexpr double kForeign = 0.5;

/// Of a text's letters.
struct ForeignLetters {
  double share = 0.0;              // in scripts that are not known
  Script script = Script::kOther;  // that most of these have
};
ForeignLetters foreign_letters(const std::vector<std::string>& texts, const KnownScripts& known);

/// What of a text its model cannot know.
struct SourceMeasures {
  std::vector<std::string> unknown_words;  // as written, that have an unknown piece
  double unknown_share = 0.0;              // of the tokens
  double foreign_share = 0.0;              // of the letters it reads: in scripts that are not known
  Script foreign_script = Script::kOther;  // that most of these have
};

/// `words` are those of the text's tokens.
SourceMeasures measure_source(const std::vector<int32_t>& tokens, const Words& words,
                              const Tokenizer& tokenizer, const KnownScripts& known);

/// Whether a token stands for characters that the vocabulary lacks: unknown, or one byte of them.
bool is_unknown_piece(int32_t token, const Tokenizer& tokenizer);
bool has_unknown_piece(const std::vector<int32_t>& tokens, const Tokenizer& tokenizer);

}  // namespace nmt
