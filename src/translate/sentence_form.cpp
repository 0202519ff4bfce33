#include "translate/sentence_form.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

#include "text/sentence_marks.h"
#include "text/special_tokens.h"
#include "translate/source_measures.h"
#include "unicode/code_points.h"
#include "unicode/letter_case.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

bool is_mark(char32_t code) {
  return (is_punctuation(code) && !is_one_of(code, U"%‰@#&/\\§")) || is_one_of(code, U"~～^");
}

bool is_mark_or_space(char32_t code) { return is_mark(code) || is_whitespace(code); }

/// Quotes, brackets and asterisks, which may open within the sentence what they close at its end.
bool is_enclosing(char32_t code) {
  return is_one_of(code, U"\"“”„‟«»‹›()[]{}*「」『』（）《》〈〉【】");
}

bool is_quote(char32_t code) { return is_enclosing(code) || is_one_of(code, U"'‘’‚"); }

bool is_stop(char32_t code) {
  return is_sentence_mark(code) || is_one_of(code, U":;,、，،–—~～〜");
}

using Codes = std::u32string;
using Place = Codes::const_iterator;

/// Whether "...", "!!" or "?!" begins there.
bool repeats_mark(Place at, Place end) {
  if (at == end || at + 1 == end) return false;
  const auto both = [&](const char32_t* marks) {
    return is_one_of(*at, marks) && is_one_of(*(at + 1), marks);
  };
  return both(U".…") || both(U"!?");
}

Codes marks_of(Place begin, Place end) {
  Codes marks;
  std::copy_if(begin, end, std::back_inserter(marks), is_mark);
  return marks;
}

/// The quotes and brackets that stand in pairs with this one, itself included; of other marks none.
std::u32string_view partners_of(char32_t code) {
  for (const std::u32string_view partners :
       {U"“”„‟", U"«»", U"‹›", U"()", U"[]", U"{}", U"「」", U"『』", U"《》", U"〈〉", U"【】",
        U"（）", U"［］"}) {
    if (is_one_of(code, partners)) return partners;
  }
  return {};
}

/// Which marks of a sentence the vocabulary lacks: those without a piece, and the other half of
/// their pairs.
class LackedMarks {
 public:
  LackedMarks(const std::string& sentence, const Codes& codes, const Tokenizer& tokenizer)
      : sentence_(sentence), codes_(codes), tokenizer_(tokenizer) {}

  bool has(char32_t code) {
    if (!is_mark(code) || is_wide_sentence_mark(code)) return false;
    if (lacks_mark(code)) return true;
    const auto partners = partners_of(code);
    return std::any_of(partners.begin(), partners.end(), [&](char32_t partner) {
      return is_one_of(partner, codes_) && lacks_mark(partner);
    });
  }

 private:
  bool lacks_mark(char32_t code) {
    const auto [found, is_new] = marks_.try_emplace(code);
    if (!is_new) return found->second;
    if (!is_unknown_character(code, tokenizer_)) return false;
    // A longer piece may have the mark, such as a model's own "__en__".
    if (!lacks_any_) lacks_any_ = has_unknown_piece(sentence_, tokenizer_);
    return found->second = *lacks_any_;
  }

  const std::string& sentence_;
  const Codes& codes_;
  const Tokenizer& tokenizer_;
  std::optional<bool> lacks_any_;
  std::map<char32_t, bool> marks_;
};

/// The edges of a sentence: the marks before its first and after its last letter or digit.
class Edges {
 public:
  /// `has_gaps` as for SentenceForm::familiar; there must be a letter or digit.
  Edges(const Codes& codes, LackedMarks& lacked, const Codes& final_marks, bool has_gaps)
      : codes_(codes),
        lacked_(lacked),
        final_marks_(final_marks),
        quotes_(std::any_of(final_marks.begin(), final_marks.end(), is_quote)),
        first_(std::find_if_not(codes.begin(), codes.end(), is_mark_or_space)),
        last_(std::find_if_not(codes.rbegin(), codes.rend(), is_mark_or_space).base()),
        has_inner_(has_gaps || std::any_of(first_, last_, is_enclosing)) {}

  Place first() const { return first_; }
  Place last() const { return last_; }

  /// The end of the opening marks that the model does not know.
  Place opening_end() const {
    const auto is_unfamiliar = [&](char32_t code) {
      if (has_inner_) return false;
      return lacked_.has(code) || (!final_marks_.empty() && !quotes_ && is_quote(code));
    };
    return std::find_if(std::make_reverse_iterator(first_), codes_.rend(), is_unfamiliar).base();
  }

  /// The first of the closing marks that the model does not know.
  Place closing_begin() const {
    auto mark = last_;
    while (mark != codes_.end() && !is_unfamiliar_end(*mark) &&
           (final_marks_.empty() || !repeats_mark(mark, codes_.end()))) {
      ++mark;
    }
    return mark;
  }

  /// The end of the closing marks that are taken from the sentence.
  Place closing_end(Place begin) const {
    return std::find_if_not(begin, codes_.end(), [&](char32_t code) {
      return is_stop(code) || is_whitespace(code) || is_unfamiliar_end(code);
    });
  }

  /// The final mark with which the model reads a sentence that lost `closing_marks` and has none.
  Codes carrier(const Codes& closing_marks) const {
    const bool asks = is_one_of(U'?', closing_marks);  // as in "!?"
    const auto best = (asks ? U"?" : U"") + closing_marks + final_marks_;
    for (const char32_t code : best + U".।።۔։།") {  // a full stop of some script
      if (is_sentence_mark(code) && !is_unfamiliar_end(code)) return {code};
    }
    return {};
  }

 private:
  bool is_unfamiliar_end(char32_t code) const {
    if (has_inner_ && is_enclosing(code)) return false;
    const bool is_final =
        is_one_of(code, final_marks_) || is_wide_sentence_mark(code) || (quotes_ && is_quote(code));
    return lacked_.has(code) || (!final_marks_.empty() && is_mark(code) && !is_final);
  }

  const Codes& codes_;
  LackedMarks& lacked_;
  const Codes& final_marks_;
  bool quotes_;
  Place first_;
  Place last_;
  bool has_inner_;
};

/// The sentence with full stops in place of the wide ones of Chinese and Japanese text, and with a
/// dash that the vocabulary has in place of others, if it lacks these.
Codes with_known_marks(const std::string& sentence, const Tokenizer& tokenizer) {
  auto codes = to_code_points(sentence);
  const auto is_lacked = [&](char32_t code) { return is_unknown_character(code, tokenizer); };
  if (is_one_of(U'。', codes) && is_lacked(U'。')) {
    std::replace(codes.begin(), codes.end(), U'。', U'.');
  }
  constexpr std::u32string_view kDashes = U"–—―-";
  for (const char32_t dash : kDashes.substr(0, 3)) {
    if (!is_one_of(dash, codes) || !is_lacked(dash)) continue;
    const auto* known = std::find_if_not(kDashes.begin(), kDashes.end(), is_lacked);
    if (known != kDashes.end()) std::replace(codes.begin(), codes.end(), dash, *known);
  }
  return codes;
}

/// The marks from `begin` to `end`, with a space before those that are a word, such as ":)", if the
/// text before them, which ends at `last`, has one.
Codes closing_marks(Place last, Place begin, Place end) {
  auto word =
      std::find_if(begin, end, [](char32_t code) { return !is_one_of(code, U" !?:;,.…»”"); });
  if (word == end) return marks_of(begin, end);
  while (word != begin && !is_whitespace(*(word - 1))) --word;
  const bool has_space = word != last && is_whitespace(*(word - 1));
  return marks_of(begin, word) + (has_space ? U" " : U"") + marks_of(word, end);
}

}  // namespace

SentenceForm::SentenceForm(const std::vector<std::string>& final_marks, bool capitals)
    : capitals_(capitals) {
  for (const auto& mark : final_marks) final_marks_ += to_code_points(mark);
}

FamiliarSentence SentenceForm::familiar(const std::string& sentence, const Tokenizer& tokenizer,
                                        bool has_gaps) const {
  const auto codes = with_known_marks(sentence, tokenizer);
  FamiliarSentence result{to_utf8(codes)};
  if (std::all_of(codes.begin(), codes.end(), is_mark_or_space)) return result;
  LackedMarks lacked(sentence, codes, tokenizer);
  const Edges edges(codes, lacked, final_marks_, has_gaps);
  auto begin = edges.opening_end();
  const auto first_marks = marks_of(codes.begin(), begin);
  if (!first_marks.empty()) begin = std::find_if_not(begin, edges.first(), is_whitespace);

  const auto mark = edges.closing_begin();
  const auto rest = edges.closing_end(mark);
  if (std::any_of(rest, codes.end(), is_sentence_mark)) return result;  // a quotation ends before
  const auto last_marks =
      first_marks.empty() ? closing_marks(edges.last(), mark, rest) : marks_of(mark, rest);
  const bool lacks_stop = std::none_of(edges.last(), mark, is_sentence_mark);
  const bool had_stop = std::any_of(last_marks.begin(), last_marks.end(), is_stop);
  const auto carrier =
      lacks_stop && (!final_marks_.empty() || had_stop) ? edges.carrier(last_marks) : Codes();
  auto end = mark;
  const bool is_changed = !last_marks.empty() || !carrier.empty();
  while (is_changed && end != edges.last() && is_whitespace(*(end - 1))) --end;

  auto read = Codes(begin, end) + carrier + Codes(rest, codes.end());
  result.capitalized =
      capitals_ && read.size() > 1 && is_lower(read[0]) && !is_upper(read[1]);  // not "iPhone"
  if (result.capitalized) {
    read.replace(0, 1, to_code_points(to_capitalized(to_utf8({&read[0], 1}))));
  }
  result.text = to_utf8(read);
  result.first_marks = to_utf8(first_marks);
  result.last_marks = to_utf8(last_marks);
  result.carrier = to_utf8(carrier);
  return result;
}

std::string begun_in_lower_case(const std::string& word, const Tokenizer& tokenizer) {
  const auto codes = to_code_points(word);
  const auto end = std::find_if_not(codes.begin(), codes.end(), is_letter);
  const std::u32string letters(codes.begin(), end);
  if (letters.empty() || !is_upper(letters[0]) || letters == U"I") return word;
  if (!std::all_of(letters.begin() + 1, letters.end(), is_lower)) return word;
  const auto lower = to_lower(to_utf8(letters));
  const auto tokens = tokenizer.encode(lower);
  if (tokens.size() != 1 || tokens.front() == kUnknownId) return word;
  return lower + to_utf8(std::u32string(end, codes.end()));
}

}  // namespace nmt
