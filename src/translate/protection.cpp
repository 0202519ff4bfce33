#include "translate/protection.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "errors/error.h"
#include "errors/log.h"
#include "files/line_reader.h"
#include "text/placeholders.h"
#include "text/sentence_marks.h"
#include "text/sentence_splitter.h"
#include "text/special_tokens.h"
#include "translate/source_measures.h"
#include "unicode/characters.h"
#include "unicode/code_points.h"
#include "unicode/scripts.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kMaxReplacements = 500;  // per sentence; further spans are left to the model

/// The index of the word that contains byte `at`.
size_t word_at(const std::vector<Extent>& words, size_t at) {
  const auto follows = [](size_t place, const Extent& word) { return place < word.begin; };
  const auto next = std::upper_bound(words.begin(), words.end(), at, follows);
  return static_cast<size_t>(next - words.begin()) - 1;
}

bool has_letter_or_number(std::string_view text) {
  const auto codes = to_code_points(text);
  return std::any_of(codes.begin(), codes.end(),
                     [](char32_t code) { return is_letter(code) || is_number(code); });
}

/// Whether the text ends within a word that is more than punctuation.
bool ends_in_word(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && !is_between_words(text[begin - 1])) --begin;
  return has_letter_or_number(text.substr(begin));
}

/// Whether the range is delimited by white space or the text's ends.
bool is_word(std::string_view text, size_t begin, size_t end) {
  return (begin == 0 || is_between_words(text[begin - 1])) &&
         (end == text.size() || is_between_words(text[end]));
}

/// Whether the range is within a longer word of a script without spaces, where attention cannot
/// locate it. Korean has spaces, even with Chinese characters in brackets.
bool is_in_unspaced_word(std::string_view text, size_t begin, size_t end) {
  constexpr size_t kNear = 64;  // bytes
  constexpr std::string_view kSpaces = " \t\n\v\f\r";
  const size_t near = begin - std::min(begin, kNear);
  const auto before = text.substr(near, begin - near);
  const auto after = text.substr(end, kNear);
  auto rest = to_code_points(before.substr(before.find_last_of(kSpaces) + 1));
  rest += to_code_points(after.substr(0, after.find_first_of(kSpaces)));
  const auto term = to_code_points(text.substr(begin, end - begin));
  const auto is_hangul = [](char32_t code) { return script_of(code) == Script::kHangul; };
  return std::any_of(rest.begin(), rest.end(), is_written_without_spaces) &&
         std::none_of(rest.begin(), rest.end(), is_hangul) &&
         std::none_of(term.begin(), term.end(), is_hangul);
}

Replacement::Extent extent_of(std::string_view text, size_t begin, size_t end) {
  if (begin == 0 && end == text.size()) return Replacement::Extent::kSentence;
  const bool has_words =
      has_letter_or_number(text.substr(0, begin)) || has_letter_or_number(text.substr(end));
  return has_words ? Replacement::Extent::kPart : Replacement::Extent::kAllWords;
}

/// Whether a hyphen or slash joins it to letters or digits: what attends to it translates them,
/// too.
bool is_in_compound(std::string_view text, size_t begin, size_t end) {
  constexpr size_t kNear = 8;  // bytes of two characters
  const size_t near = begin - std::min(begin, kNear);
  auto before = to_code_points(text.substr(near, begin - near));
  std::reverse(before.begin(), before.end());
  const auto is_joined = [](const std::u32string& codes) {
    return codes.size() > 1 && is_one_of(codes[0], U"-/\u2010\u2011") &&
           (is_letter(codes[1]) || is_number(codes[1]));
  };
  return is_joined(before) || is_joined(to_code_points(text.substr(end, kNear)));
}

struct ComposedText {
  std::string text;            // in NFC
  std::vector<size_t> places;  // offsets of its bytes, and of its end, in the original text
};

ComposedText composed(const std::string& written) {
  ComposedText result;
  size_t at = 0;
  for (const auto& character : split_characters(written)) {
    const auto bytes = to_nfc(character.bytes);
    const size_t end = at + character.bytes.size();
    for (size_t i = 0; i < bytes.size(); ++i) {
      result.places.push_back(i == 0 || bytes == character.bytes ? at + i : end);
    }
    result.text += bytes;
    at = end;
  }
  result.places.push_back(at);
  return result;
}

/// The numbers that are single pieces and begin a word, most frequent first.
std::vector<std::string> numbers_of(const Tokenizer& tokenizer) {
  std::vector<std::string> numbers;
  for (int32_t id = kEosId + 1; id < tokenizer.vocabulary_size(); ++id) {
    std::string_view piece = tokenizer.piece(id);
    if (piece.substr(0, kSpaceMark.size()) != kSpaceMark) continue;
    piece.remove_prefix(kSpaceMark.size());
    if (!piece.empty() && std::all_of(piece.begin(), piece.end(), is_digit_byte)) {
      numbers.emplace_back(piece);
    }
  }
  return numbers;
}

/// Whether many nouns have a capital, as in German: more than one in five of the pieces that begin
/// a word and have at least four letters, the others in lower case. Vocabularies of German have
/// 0.34 to 0.60 of them, of English and French 0.01 to 0.19.
bool capitalizes_nouns(const Tokenizer& tokenizer) {
  size_t words = 0;
  size_t capitalized = 0;
  for (int32_t id = kEosId + 1; id < tokenizer.vocabulary_size(); ++id) {
    const auto codes = to_code_points(tokenizer.piece(id));  // the first is kSpaceMark
    if (codes.size() < 5 || tokenizer.piece(id).rfind(kSpaceMark, 0) != 0) continue;
    if (!std::all_of(codes.begin() + 2, codes.end(), is_lower)) continue;
    if (is_lower(codes[1])) ++words;
    if (is_upper(codes[1])) ++capitalized;
  }
  return 4 * capitalized > words;
}

bool is_one_piece(std::string_view text, const Tokenizer& tokenizer) {
  const auto tokens = tokenizer.encode(text);
  const bool split = tokens.size() == 2 && tokenizer.piece(tokens.front()) == kSpaceMark;
  return !tokens.empty() && tokens.back() != kUnknownId && (tokens.size() == 1 || split);
}

/// Removes from `spans` those outside [begin, end), leading emoji, blanks and tags such as
/// "@name:", and trailing spans other than numbers. Returns the byte range between the removed
/// spans.
std::pair<size_t, size_t> take_outer_spans(const std::string& sentence, size_t begin, size_t end,
                                           std::vector<ProtectedSpan>& spans) {
  const auto is_empty = [&](size_t first, size_t last) {
    return split_whitespace(std::string_view(sentence).substr(first, last - first)).empty();
  };
  while (!spans.empty() && spans.back().begin >= end) spans.pop_back();
  while (!spans.empty() && spans.back().kind != SpanKind::kNumber && spans.back().begin >= begin &&
         is_empty(spans.back().end, end)) {
    end = spans.back().begin;
    spans.pop_back();
  }
  const auto is_sign = [](const ProtectedSpan& span) {
    return span.kind == SpanKind::kEmoji || span.kind == SpanKind::kBlank ||
           span.kind == SpanKind::kTag;
  };
  const auto label_mark = [&](const ProtectedSpan& span) {  // as in "@name:" and "@name :"
    if (span.kind != SpanKind::kTag) return span.end;
    const size_t mark = span.end + (sentence.compare(span.end, 2, " :") == 0 ? 1 : 0);
    return mark < end && is_one_of(sentence[mark], U":,") ? mark + 1 : span.end;
  };
  auto first_span = spans.begin();
  for (; first_span != spans.end(); ++first_span) {
    const bool is_first = is_empty(begin, std::max(begin, first_span->begin));
    const size_t next = label_mark(*first_span);
    const bool ends_word =
        next == end || next > first_span->end || is_between_words(sentence[next]);
    const bool is_outer =
        is_first && is_sign(*first_span) && (first_span->kind != SpanKind::kTag || ends_word);
    if (first_span->begin >= begin && !is_outer) break;
    begin = std::max(begin, next);
  }
  spans.erase(spans.begin(), first_span);
  return {begin, end};
}

/// Extends spans other than numbers to directly enclosing round brackets within [begin, end).
/// Returns the digits of the numbers.
std::vector<std::string> widen_to_brackets(const std::string& sentence, size_t begin, size_t end,
                                           std::vector<ProtectedSpan>& spans) {
  std::vector<std::string> numbers;
  for (auto& span : spans) {
    const bool bracketed = span.begin > begin && sentence[span.begin - 1] == '(' &&
                           span.end < end && sentence[span.end] == ')';
    if (span.kind == SpanKind::kNumber) {
      numbers.push_back(digits_of(sentence.substr(span.begin, span.end - span.begin)));
    } else if (bracketed) {
      span = {span.kind, span.begin - 1, span.end + 1};
    }
  }
  return numbers;
}

}  // namespace

Protection::Protection(const Tokenizers& tokenizers, Terms terms, SentenceForm form)
    : tokenizers_(tokenizers),
      form_(std::move(form)),
      reads_tokens_(tokenizers.source.reads_tokens()),
      capitalizes_nouns_(capitalizes_nouns(tokenizers.source)),
      placeholders_(placeholders_of(tokenizers)),
      terms_(std::move(terms)) {
  auto longest_first = terms_;
  for (auto& term : longest_first) term.first = to_nfc(term.first);
  const auto rank = [](const Term& term) {  // of equally long ones, those with capitals first
    return std::pair(term.first.size(), to_lower(term.first) != term.first);
  };
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](const Term& a, const Term& b) { return rank(a) > rank(b); });
  for (const auto& [source, target] : longest_first) {
    const auto lower = to_lower(source);
    by_character_[lower.substr(0, character_length(lower, 0))].push_back(
        {source, target, lower == source});
  }
  const auto target_numbers = numbers_of(tokenizers.target);
  for (auto& number : numbers_of(tokenizers.source)) {
    if (std::find(target_numbers.begin(), target_numbers.end(), number) == target_numbers.end() ||
        std::find(carriers_.begin(), carriers_.end(), number) != carriers_.end()) {
      continue;
    }
    if (is_one_piece(number, tokenizers.source)) carriers_.push_back(std::move(number));
  }
}

/// The number's span, including its signs if the model does not know them.
ProtectedSpan Protection::with_unknown_sign(std::string_view text, const ProtectedSpan& number,
                                            size_t from) const {
  const auto is_unknown = [&](std::string_view sign) {
    return has_unknown_piece(tokenizers_.source.encode(sign), tokenizers_.source);
  };
  auto span = number;
  const auto found = find_signed_number(text, number, from);
  const auto sign = found ? to_utf8({&found->sign, 1}) : "";
  if (found && (is_unknown(sign) ||
                (is_one_of(found->sign, kUnitSigns) && !is_one_piece(sign, tokenizers_.source)))) {
    span = {number.kind, found->begin, found->end};
  }
  // A vocabulary that has "-" may know it as a hyphen only.
  span.begin = plus_or_minus_begin(text, span.begin, from);
  return span;
}

/// Notes what the translation needs in place of what the model does not read as it is written.
void Protection::read_as_familiar(ProtectedSentence& sentence) const {
  using Kind = Replacement::Kind;
  const auto& inserted = sentence.replacements;
  const bool has_gaps = std::any_of(inserted.begin(), inserted.end(), [](const Replacement& one) {
    return one.kind == Kind::kInserted;
  });
  const auto familiar = form_.familiar(sentence.for_model, tokenizers_.source, has_gaps);
  const size_t last = word_extents(sentence.text).size() - 1;
  if (!familiar.first_marks.empty()) {
    sentence.replacements.push_back({Kind::kFirstMarks, 0, 0, familiar.first_marks});
  }
  if (!familiar.last_marks.empty() || !familiar.carrier.empty()) {
    sentence.replacements.push_back(
        {Kind::kLastMarks, last, last, familiar.last_marks, familiar.carrier});
  }
  if (familiar.capitalized) sentence.replacements.push_back({Kind::kLowerCase, 0, 0, ""});
  // Marks between spaces are words that the model does not read.
  const auto words = split_whitespace(sentence.for_model);
  size_t unread = words.size() - std::min(words.size(), word_extents(familiar.text).size());
  for (size_t i = 0; unread > 0 && !familiar.first_marks.empty() && !has_letter_or_number(words[i]);
       ++i, --unread) {
    sentence.unread.push_back(i);
  }
  for (; unread > 0; --unread) sentence.unread.push_back(last + 1 - unread);
  sentence.for_model = familiar.text;
}

std::string Protection::carrier_for(std::string_view number,
                                    const std::vector<std::string>& taken) const {
  const auto digits = static_cast<std::ptrdiff_t>(digits_of(number).size());
  const std::string* best = nullptr;
  const auto distance = [&](const std::string& carrier) {
    return std::abs(static_cast<std::ptrdiff_t>(carrier.size()) - digits);
  };
  for (const auto& carrier : carriers_) {
    if (std::find(taken.begin(), taken.end(), carrier) != taken.end()) continue;
    if (best == nullptr || distance(carrier) < distance(*best)) best = &carrier;
  }
  return best == nullptr ? "" : *best;
}

size_t Protection::marks_length(std::string_view sentence) const {
  const auto& source = tokenizers_.source;
  // German nouns have capitals anywhere, so "1. Mai" is an ordinal number and "1. Ein" is not.
  return list_mark_length(sentence, [&](std::string_view word) {
    if (!capitalizes_nouns_) return true;
    const auto lower = source.encode(to_lower(word));
    return lower.size() == 1 && lower.front() != kUnknownId && lower != source.encode(word);
  });
}

ProtectedSentence Protection::protect(const std::string& sentence, bool keeps_list_marks,
                                      bool keeps_form) const {
  ProtectedSentence result{"", "", sentence, sentence, "", "", {}, {}};
  auto spans = find_protected_spans(sentence);
  if (reads_tokens_) {  // in tokenized text, "...." is an ellipsis even between spaces
    const auto is_blank = [](const ProtectedSpan& span) { return span.kind == SpanKind::kBlank; };
    spans.erase(std::remove_if(spans.begin(), spans.end(), is_blank), spans.end());
  }
  const bool keeps_marks = keeps_list_marks && !reads_tokens_;
  const size_t mark = keeps_marks ? marks_length(sentence) : 0;
  const size_t footnotes = keeps_marks ? footnotes_begin(sentence) : sentence.size();
  if (spans.empty() && terms_.empty() && mark == 0 && footnotes == sentence.size()) {
    if (keeps_form && keeps_marks) read_as_familiar(result);
    return result;
  }
  auto& [before, gap, text, for_model, last_gap, after, replacements, unread] = result;
  const auto inner = take_outer_spans(sentence, mark, footnotes, spans);
  size_t begin = inner.first;
  const size_t end = inner.second;
  if (spans.size() > kMaxReplacements) spans.resize(kMaxReplacements);
  const auto core = whole_text(std::string_view(sentence).substr(begin, end - begin));
  before = sentence.substr(0, begin);
  after = sentence.substr(end);
  gap = core.between.front();
  last_gap = core.between.back();
  text = core.sentences.empty() ? "" : core.sentences.front();
  begin += gap.size();
  for_model.clear();
  auto numbers = widen_to_brackets(sentence, begin, end, spans);
  const auto terms = find_terms(text, spans, begin);
  const auto words = word_extents(text);
  bool has_words = false;
  size_t trailing = 0;  // the first replacement with nothing but punctuation after it
  const auto add_plain = [&, &for_model = for_model,
                          &replacements = replacements](const std::string& plain) {
    has_words = has_words || has_letters(plain);
    if (has_letter_or_number(plain)) trailing = replacements.size();
    for_model += plain;
  };
  const auto read = std::string_view(sentence).substr(0, end);
  size_t at = 0;                         // position in `text`
  size_t unread_at = std::string::npos;  // begin of the unread spans that end at `at`
  for (const auto& bare : spans) {
    if (bare.begin < begin + at) continue;  // within a sign, such as C@b.org after 30°
    const bool is_number = bare.kind == SpanKind::kNumber;
    const bool in_term = std::any_of(terms.begin(), terms.end(), [&](const FoundTerm& term) {
      return term.begin <= bare.begin - begin && bare.end - begin <= term.end;
    });
    if (is_number && in_term) {  // read as it is; the term's translation replaces it
      has_words = true;
      continue;
    }
    if (is_number && reads_tokens_ &&
        (!is_word(sentence, bare.begin, bare.end) ||
         is_one_piece(sentence.substr(bare.begin, bare.end - bare.begin), tokenizers_.source))) {
      continue;  // tokens such as "▁193" and "4" may form one number
    }
    const auto span = is_number ? with_unknown_sign(read, bare, begin + at) : bare;
    const size_t first = span.begin - begin;
    if (first > at || unread_at == std::string::npos) unread_at = first;
    const auto own = sentence.substr(span.begin, span.end - span.begin);
    add_plain(text.substr(at, first - at));
    at = span.end - begin;
    const size_t word = word_at(words, first);
    Replacement replacement{Replacement::Kind::kInserted, word, word, own};
    if (!is_number && ends_in_word(for_model)) replacement.next_word = word + 1;
    if (is_number) {
      trailing = replacements.size() + 1;
      unread_at = std::string::npos;
      has_words = true;
      const auto number = sentence.substr(bare.begin, bare.end - bare.begin);
      const bool has_sign = own != number;
      const bool known = is_one_piece(number, tokenizers_.source);
      replacement.kind =
          known && !has_sign ? Replacement::Kind::kKnownNumber : Replacement::Kind::kNewNumber;
      if (!known) replacement.carrier = carrier_for(number, numbers);
      if (has_sign && replacement.carrier.empty()) replacement.carrier = number;
      numbers.push_back(replacement.carrier);
      for_model += replacement.carrier.empty() ? own : replacement.carrier;
      replacement.last_word = word_at(words, at - 1);
      replacement.has_place = !is_in_unspaced_word(text, first, at);
      // The sign may be a word.
      for (size_t sign = word; sign < replacement.last_word; ++sign) unread.push_back(sign + 1);
    } else if (std::find(placeholders_.begin(), placeholders_.end(), span.kind) !=
               placeholders_.end()) {
      unread_at = std::string::npos;
      replacement.kind = Replacement::Kind::kPlaceholder;
      replacement.carrier = placeholder_of(span.kind);
      for_model += replacement.carrier;
    } else if (is_word(text, unread_at, at)) {
      unread.push_back(word);
    }
    if (!in_term) replacements.push_back(std::move(replacement));
  }
  add_plain(text.substr(at));
  if (!has_words && !reads_tokens_) for_model.clear();
  for (size_t i = trailing; i < replacements.size(); ++i) {
    replacements[i].next_word = words.size();
  }
  for (const auto& [first, last, target] : terms) {
    replacements.push_back(
        {Replacement::Kind::kTerm, word_at(words, first), word_at(words, last - 1), target});
    replacements.back().extent = extent_of(text, first, last);
  }
  const auto ends_in_mark = [](const std::string& term) {
    return is_sentence_mark(to_code_points(term).back());
  };
  const bool term_has_mark = !terms.empty() &&
                             !has_letter_or_number(text.substr(terms.back().end)) &&
                             (ends_in_mark(terms.back().target) ||
                              (terms.back().end == text.size() && ends_in_mark(text)));
  if (keeps_form && keeps_marks && !term_has_mark) read_as_familiar(result);
  return result;
}

std::vector<Protection::FoundTerm> Protection::find_terms(const std::string& written,
                                                          const std::vector<ProtectedSpan>& spans,
                                                          size_t offset) const {
  static const std::vector<SearchedTerm> kNoTerms;
  std::vector<FoundTerm> found;
  if (terms_.empty()) return found;
  const auto [text, places] = composed(written);
  auto lower = to_lower(text);
  if (lower.size() != text.size())
    lower = text;  // rare letters change size; offsets would not match
  for (size_t at = 0; at < text.size() && found.size() + spans.size() < kMaxReplacements;) {
    const auto terms = by_character_.find(lower.substr(at, character_length(lower, at)));
    size_t next = at + character_length(text, at);
    for (const auto& term : terms == by_character_.end() ? kNoTerms : terms->second) {
      const size_t size = term.source.size();
      const size_t end = at + size;
      const bool is_same = text.compare(at, size, term.source) == 0 ||
                           (term.any_case && lower.compare(at, size, term.source) == 0);
      if (!is_same || !is_whole_term(text, at, end) || is_in_unspaced_word(text, at, end) ||
          is_in_compound(text, at, end)) {
        continue;
      }
      const FoundTerm own{places[at], places[end], term.target};
      if (own.begin >= own.end) continue;  // within a character that was not composed
      const auto cuts = [&](const ProtectedSpan& span) {
        const size_t span_begin = span.begin - offset;
        const size_t span_end = span.end - offset;
        return own.begin < span_end && span_begin < own.end &&
               (span_begin < own.begin || own.end < span_end);
      };
      if (std::any_of(spans.begin(), spans.end(), cuts)) continue;
      next = end;
      found.push_back(own);
      break;
    }
    at = next;
  }
  return found;
}

Protection::Terms read_terms(const std::string& path) {
  Protection::Terms terms;
  std::map<std::string, std::string> translations;
  size_t repeated = 0;
  std::string example;
  LineReader reader(path);
  reader.require_text();
  for (std::string line; reader.next(line);) {
    require_utf8(line, path, reader.line_number());
    const auto row = whole_text(line).sentences;
    if (row.empty()) continue;
    const auto& columns = row.front();
    const auto tabs = std::count(columns.begin(), columns.end(), '\t');
    if (tabs != 1) {
      throw Error(fmt::format(
          "{}: line {}: has {} {}, not 2; use SOURCE, a tab and TARGET, without comments", path,
          reader.line_number(), tabs + 1, tabs == 0 ? "column" : "columns"));
    }
    const auto tab = columns.find('\t');
    terms.emplace_back(whole_text(columns.substr(0, tab)).sentences.front(),
                       whole_text(columns.substr(tab + 1)).sentences.front());
    const auto& [source, target] = terms.back();
    const auto& first = translations.emplace(to_nfc(source), target).first->second;
    if (first != target && ++repeated == 1) {
      example = fmt::format("line {}: '{}'", reader.line_number(), source);
    }
  }
  if (repeated > 0) {
    log_warning("{}: {} has another translation in an earlier line, which is used{}", path, example,
                repeated == 1 ? "" : fmt::format(" (lines of this kind: {})", repeated));
  }
  return terms;
}

}  // namespace nmt
