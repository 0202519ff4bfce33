#include "translate/sentence_form.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "text/sentence_marks.h"
#include "text/special_tokens.h"
#include "translate/source_measures.h"
#include "unicode/code_points.h"
#include "unicode/letter_case.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

bool is_mark(char32_t code) { return is_punctuation(code) && !is_one_of(code, U"%‰@#&/\\§"); }

bool is_mark_or_space(char32_t code) { return is_mark(code) || is_whitespace(code); }

/// Quotes, brackets and asterisks, which may open within the sentence what they close at its end.
bool is_enclosing(char32_t code) {
  return is_one_of(code, U"\"“”„‟«»‹›()[]{}*「」『』（）《》〈〉【】");
}

bool is_quote(char32_t code) { return is_enclosing(code) || is_one_of(code, U"'‘’‚"); }

bool is_stop(char32_t code) { return is_sentence_mark(code) || is_one_of(code, U":;,、，،–—"); }

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

/// Which single characters the vocabulary lacks in a sentence.
class LackedMarks {
 public:
  LackedMarks(const std::string& sentence, const Tokenizer& tokenizer)
      : sentence_(sentence), tokenizer_(tokenizer) {}

  bool has(char32_t code) {
    if (!is_mark(code) || is_wide_sentence_mark(code)) return false;
    const auto [found, is_new] = marks_.try_emplace(code);
    if (!is_new) return found->second;
    if (!lacks(to_utf8({&code, 1}))) return false;
    // A longer piece may have the mark, such as a model's own "__en__".
    if (!lacks_any_) lacks_any_ = lacks(sentence_);
    return found->second = *lacks_any_;
  }

 private:
  bool lacks(const std::string& text) const {
    return has_unknown_piece(tokenizer_.encode(text), tokenizer_);
  }

  const std::string& sentence_;
  const Tokenizer& tokenizer_;
  std::optional<bool> lacks_any_;
  std::map<char32_t, bool> marks_;
};

}  // namespace

SentenceForm::SentenceForm(const std::vector<std::string>& final_marks, bool capitals)
    : capitals_(capitals) {
  for (const auto& mark : final_marks) final_marks_ += to_code_points(mark);
  quotes_ = std::any_of(final_marks_.begin(), final_marks_.end(), is_quote);
}

FamiliarSentence SentenceForm::familiar(const std::string& sentence, const Tokenizer& tokenizer,
                                        bool has_gaps) const {
  FamiliarSentence result{sentence};
  const auto codes = to_code_points(sentence);
  const auto first = std::find_if_not(codes.begin(), codes.end(), is_mark_or_space);
  if (first == codes.end()) return result;
  const auto last = std::find_if_not(codes.rbegin(), codes.rend(), is_mark_or_space).base();
  LackedMarks lacked(sentence, tokenizer);
  const bool has_inner = has_gaps || std::any_of(first, last, is_enclosing);
  const auto begins_unfamiliarly = [&](char32_t code) {
    if (has_inner) return false;
    return lacked.has(code) || (!final_marks_.empty() && !quotes_ && is_quote(code));
  };
  const auto ends_unfamiliarly = [&](char32_t code) {
    if (has_inner && is_enclosing(code)) return false;
    const bool is_final =
        is_one_of(code, final_marks_) || is_wide_sentence_mark(code) || (quotes_ && is_quote(code));
    return lacked.has(code) || (!final_marks_.empty() && is_mark(code) && !is_final);
  };
  auto begin =
      std::find_if(std::make_reverse_iterator(first), codes.rend(), begins_unfamiliarly).base();
  auto mark = last;
  while (mark != codes.end() && !ends_unfamiliarly(*mark) &&
         (final_marks_.empty() || !repeats_mark(mark, codes.end()))) {
    ++mark;
  }
  const auto rest = std::find_if_not(mark, codes.end(), [&](char32_t code) {
    return is_stop(code) || is_whitespace(code) || ends_unfamiliarly(code);
  });
  if (std::any_of(rest, codes.end(), is_sentence_mark)) return result;  // a quotation ends before
  const auto first_marks = marks_of(codes.begin(), begin);
  auto apart =
      std::find_if(mark, rest, [](char32_t code) { return !is_one_of(code, U" !?:;,.…»”"); });
  const bool has_word = apart != rest && first_marks.empty();  // such as ":)"
  while (has_word && apart != mark && !is_whitespace(*(apart - 1))) --apart;
  const bool has_space = has_word && apart != last && is_whitespace(*(apart - 1));
  const auto last_marks = marks_of(mark, apart) + (has_space ? U" " : U"") + marks_of(apart, rest);
  Codes carrier;
  const bool lacks_stop = std::none_of(last, mark, is_sentence_mark);
  if (lacks_stop &&
      (!final_marks_.empty() || std::any_of(last_marks.begin(), last_marks.end(), is_stop))) {
    const bool asks = is_one_of(U'?', last_marks);  // as in "!?"
    for (const char32_t code : (asks ? U"?" : U"") + last_marks + final_marks_ + U'.') {
      if (carrier.empty() && is_sentence_mark(code) && !ends_unfamiliarly(code)) carrier = code;
    }
  }
  if (!first_marks.empty()) begin = std::find_if_not(begin, first, is_whitespace);
  auto end = mark;
  const bool is_changed = !last_marks.empty() || !carrier.empty();
  while (is_changed && end != last && is_whitespace(*(end - 1))) --end;
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
