#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "decode/decoding_constraints.h"
#include "text/protected_spans.h"
#include "text/tokenizer.h"
#include "translate/sentence_form.h"
#include "translate/terms.h"
#include "translate/words.h"

namespace nmt {

/// Text to write into a translation: copied from the source, or the target side of a user's term.
struct Replacement {
  enum class Kind {
    kInserted,     // not read by the model; inserted after the translation of the word before it
    kPlaceholder,  // replaces its placeholder, the carrier (text/placeholders.h)
    kTerm,         // replaces the words that attend to its source words
    kNewNumber,    // replaces the carrier, or else the words that attend to it; may include a sign
    kKnownNumber,  // read by the model; replaces a wrong number
    kFirstMarks,   // begins the translation
    kLastMarks,    // ends it: replaces the sentence mark for the carrier, if any
    kLowerCase,    // begins the translation in lower case
  };
  Kind kind = Kind::kInserted;
  size_t first_word = 0;  // indices of its source words in the line
  size_t last_word = 0;
  std::string text;          // to write into the translation
  std::string carrier = "";  // what the model reads instead; empty: the text itself
  bool has_place = true;     // attention can locate its translation
  // If it is later than `first_word`, an insertion follows the translation of the word before it.
  size_t next_word = 0;
  enum class Extent {
    kPart,      // there are other words in the sentence
    kAllWords,  // there is only punctuation around its source words
    kSentence,
  };
  Extent extent = Extent::kPart;  // of a term
};

/// Whether it only changes the edges of the translation.
inline bool is_of_form(Replacement::Kind kind) {
  using Kind = Replacement::Kind;
  return kind == Kind::kFirstMarks || kind == Kind::kLastMarks || kind == Kind::kLowerCase;
}

bool has_kind(const std::vector<Replacement>& replacements, Replacement::Kind kind);

/// The parts of a translation that the user gave. Replacements do not change them.
struct GivenTokens {
  size_t prefix = 0;        // tokens at the beginning
  size_t partial_word = 0;  // bytes of the partial word after them
  size_t unbroken = 0;      // leading tokens between which nothing may be inserted
  std::vector<std::vector<int32_t>> phrases = {};
  const TokenJoints* joints = nullptr;  // for finding the phrases
};

/// A sentence prepared for the model.
struct ProtectedSentence {
  std::string before;     // leading list marks, emoji, blanks and tags, not read by the model
  std::string gap;        // white space after `before`
  std::string text;       // the rest as written
  std::string for_model;  // what the model reads; empty: nothing to translate
  std::string last_gap;
  std::string after;                      // trailing emoji, blanks, URLs, addresses, footnotes
  std::vector<Replacement> replacements;  // word indices are within `text`
  std::vector<size_t> unread;             // indices of words of `text` not in `for_model`
};

/// What to protect of a sentence.
struct ProtectionChoice {
  bool list_marks = true;  // copy leading list marks and trailing footnotes such as [2] without
                           // showing them to the model
  bool form = true;  // read the sentence in the form that the model knows, and give its own to the
                     // translation
  std::vector<Extent> copied = {};  // bytes to protect besides, in order; a placeholder of a number
                                    // among them is read as a number
};

/// Takes URLs, e-mail addresses, emoji, blanks, unseen numbers and a user's terms through a
/// translation. The model reads placeholders for the first three, if it was trained with them;
/// otherwise it does not read them, and they follow the translation of the word before them, as
/// blanks always do. It reads a number that both vocabularies have in place of one that they do
/// not, and a number without a plus or minus, and without the currency or unit sign that the source
/// vocabulary does not have. At the edges of the sentence it does not read unfamiliar marks: those
/// that the source vocabulary does not have or, if the training text's sentences nearly all end
/// with a sentence mark, do not end them. It reads the most frequent final mark if none is left,
/// and a capital if all sentences begin with one. A term is translated, then the words that attend
/// to it are replaced. A model that reads tokens (text/word_vocabulary.h) gets list marks, marks at
/// the edges, blanks and numbers as they are, but for numbers that are whole tokens and that it
/// does not know.
class Protection {
 public:
  Protection() = default;
  Protection(const Tokenizers& tokenizers, std::vector<TermPair> terms, SentenceForm form = {});

  const std::vector<TermPair>& terms() const { return terms_.all(); }

  /// The length of the sentence's list marks (text/protected_spans.h). A capitalized word begins a
  /// sentence, in a language that capitalizes nouns only if the source vocabulary also has it in
  /// lower case.
  size_t marks_length(std::string_view sentence) const;

  ProtectedSentence protect(const std::string& sentence, const ProtectionChoice& choice = {}) const;

  /// Writes the replacements into the words of a part's translation. Without attention,
  /// replacements that cannot be placed are appended. `all_caps`: upper-cases the model's own
  /// words, not the replacements. Skips replacements that `given` contains or translates otherwise.
  /// Returns the added words, which have no tokens, each with its source word.
  std::vector<WordLink> restore(const std::vector<Replacement>& replacements,
                                const PartAttention& attention, const std::vector<int32_t>& tokens,
                                Words& words, bool all_caps = false,
                                const GivenTokens& given = {}) const;

 private:
  class SpanReader;

  bool begins_sentence(std::string_view word) const;
  void read_as_familiar(ProtectedSentence& sentence) const;

  Tokenizers tokenizers_;
  SentenceForm form_;
  bool reads_tokens_ = false;
  bool capitalizes_nouns_ = false;
  std::vector<SpanKind> placeholders_;
  Terms terms_;
  std::vector<std::string> carriers_;  // numbers that are one piece on both sides, frequent first
};

}  // namespace nmt
