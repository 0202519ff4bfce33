#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "decode/decoding_constraints.h"
#include "text/protected_spans.h"
#include "text/tokenizer.h"
#include "translate/words.h"

namespace nmt {

/// Text that a translation takes over: as it is, or as the user's terms say.
struct Replacement {
  enum class Kind {
    kInserted,     // the model does not read it; it follows the word of the one before it
    kPlaceholder,  // instead of its placeholder, the carrier (text/placeholders.h)
    kTerm,         // instead of the words that attend to its words
    kNewNumber,    // instead of the carrier, or else of the words that attend to it; with its sign
    kKnownNumber,  // the model reads it; instead of a wrong number
  };
  Kind kind = Kind::kInserted;
  size_t first_word = 0;  // source words that it stands in, of the whole line
  size_t last_word = 0;
  std::string text;          // in the translation
  std::string carrier = "";  // what the model reads in its place; empty: itself
  bool has_place = true;     // attention can show where it is translated
};

/// What a user gave of a part's translation. Replacements leave it as it is.
struct GivenTokens {
  size_t prefix = 0;        // tokens that the translation begins with
  size_t partial_word = 0;  // bytes that pieces spell after them
  size_t unbroken = 0;      // tokens at the beginning that nothing is inserted between
  std::vector<std::vector<int32_t>> phrases = {};
  const TokenJoints* joints = nullptr;  // of the phrases' words
};

/// A sentence as the model is to read it.
struct ProtectedSentence {
  std::string before;     // list marks and emoji that it begins with, which the model does not read
  std::string gap;        // white space after them
  std::string text;       // as written
  std::string for_model;  // empty where there is nothing to translate
  std::string last_gap;
  std::string after;                      // emoji, URLs, addresses and footnotes that it ends with
  std::vector<Replacement> replacements;  // words counted from the first of `text`
  std::vector<size_t> unread;             // words of `text` that `for_model` lacks
};

/// Takes URLs, e-mail addresses, emoji, unseen numbers and a user's terms through a translation.
/// The model reads placeholders for the first three, if it was trained with them; otherwise it does
/// not read them, and they follow the translation of the word before them. It reads a number that
/// both vocabularies have in place of one that they do not, and a number without the sign of its
/// currency or unit that the source vocabulary does not have. A term is translated, then the words
/// that attend to it are replaced; none is found within an address or number, or within a longer
/// word of a script without spaces. Composed and decomposed letters are the same. A model that
/// reads tokens (text/word_vocabulary.h) gets list marks and numbers as they are, but for numbers
/// that are whole tokens and that it does not know.
class Protection {
 public:
  using Term = std::pair<std::string, std::string>;  // source and target
  using Terms = std::vector<Term>;

  Protection() = default;
  Protection(const Tokenizers& tokenizers, Terms terms);

  const Terms& terms() const { return terms_; }

  /// `keeps_list_marks`: the model does not read those that the sentence begins with, nor footnotes
  /// such as [2] that it ends with.
  ProtectedSentence protect(const std::string& sentence, bool keeps_list_marks = true) const;

  /// Writes the replacements into the words of a part's translation. `attention`: a row for each of
  /// its tokens and columns for those of the source from `first_source` on, `num_source` of them;
  /// empty without attention: what has no place then follows the translation. `all_caps`: the
  /// model's own words are capitalized, the replacements are not. A replacement that `given` has,
  /// or that it has another translation for, is left out. Returns the words that it adds, which
  /// have no tokens, and the source word of each.
  std::vector<WordLink> restore(const std::vector<Replacement>& replacements,
                                const std::vector<std::vector<float>>& attention,
                                const Words& source, size_t first_source, size_t num_source,
                                const std::vector<int32_t>& tokens, Words& words,
                                bool all_caps = false, const GivenTokens& given = {}) const;

 private:
  ProtectedSpan with_unknown_sign(std::string_view text, const ProtectedSpan& number,
                                  size_t from) const;
  std::string carrier_for(std::string_view number, const std::vector<std::string>& taken) const;

  struct FoundTerm {
    size_t begin;  // in bytes
    size_t end;
    std::string target;
  };
  /// Those of the text, as written, that cut no span; the spans' bytes are counted from `offset`
  /// before the text.
  std::vector<FoundTerm> find_terms(const std::string& written,
                                    const std::vector<ProtectedSpan>& spans, size_t offset) const;

  Tokenizers tokenizers_;
  bool reads_tokens_ = false;
  std::vector<SpanKind> placeholders_;
  Terms terms_;
  struct SearchedTerm {
    std::string source;
    std::string target;
    bool any_case;  // it is in lower case, and found in capitals too
  };
  // By their first character, in lower case; the longest first.
  std::unordered_map<std::string, std::vector<SearchedTerm>> by_character_;
  std::vector<std::string> carriers_;  // numbers that are one piece on both sides, frequent first
};

/// Reads a file of terms, a tab between source and target. Throws Error that names the line.
Protection::Terms read_terms(const std::string& path);

}  // namespace nmt
