#include "translate/protection.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <tuple>

#include "decode/phrase_constraints.h"
#include "errors/error.h"
#include "files/line_reader.h"
#include "numbers/parse.h"
#include "text/byte_pieces.h"
#include "text/placeholders.h"
#include "text/sentence_splitter.h"
#include "text/special_tokens.h"
#include "text/word_vocabulary.h"
#include "translate/source_measures.h"
#include "unicode/characters.h"
#include "unicode/code_points.h"
#include "unicode/letter_case.h"
#include "unicode/scripts.h"
#include "unicode/substrings.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr int32_t kCommonPieces = 64;  // the most frequent: articles, prepositions, marks
constexpr float kLeastAttention = 0.25F;
constexpr size_t kNone = static_cast<size_t>(-1);
constexpr size_t kMaxReplacements = 100;  // in a sentence; the model reads the rest

bool is_digit_byte(char c) { return c >= '0' && c <= '9'; }

std::string digits_of(std::string_view text) {
  std::string digits;
  std::copy_if(text.begin(), text.end(), std::back_inserter(digits), is_digit_byte);
  return digits;
}

/// How many words of the text begin before `at`, the one around it left out.
size_t word_at(std::string_view text, size_t at) {
  const bool inside = at > 0 && !is_between_words(text[at - 1]);
  return written_words(std::string(text.substr(0, at))).size() - (inside ? 1 : 0);
}

/// Whether white space or nothing stands on both sides.
bool is_word(std::string_view text, size_t begin, size_t end) {
  return (begin == 0 || is_between_words(text[begin - 1])) &&
         (end == text.size() || is_between_words(text[end]));
}

/// What replacements are written to: words or, in scripts without spaces, tokens.
struct Units {
  Words words;                  // in the form of words, for their attention
  std::vector<size_t> of_word;  // the word of each
};

Units units_of(const std::vector<int32_t>& tokens, const Words& words, const Tokenizer& tokenizer) {
  Units units;
  std::vector<std::vector<int32_t>> pieces;
  for (size_t t = 0; t < tokens.size(); ++t) {
    const auto& piece = tokenizer.piece(tokens[t]);
    const bool begins = t == 0 || words.of_token[t] != words.of_token[t - 1];
    const auto codes = to_code_points(piece);
    if (begins || (!codes.empty() && is_written_without_spaces(codes.front()))) {
      pieces.emplace_back();
      units.of_word.push_back(words.of_token[t]);
    }
    pieces.back().push_back(tokens[t]);
    units.words.of_token.push_back(pieces.size() - 1);
  }
  for (size_t u = 0; u < pieces.size(); ++u) {
    auto text = tokenizer.decode(pieces[u]);
    text.erase(0, text.find_first_not_of(' ') == std::string::npos ? text.size()
                                                                   : text.find_first_not_of(' '));
    units.words.texts.push_back(std::move(text));
  }
  return units;
}

WordLink word_link(size_t source, size_t target) {
  return {static_cast<int64_t>(source), static_cast<int64_t>(target)};
}

bool is_no_mark(char32_t code) { return !is_punctuation(code); }

/// The place of a number in the text, not within a longer one; or npos.
size_t find_number(const std::string& text, const std::string& number) {
  for (size_t at = text.find(number); at != std::string::npos; at = text.find(number, at + 1)) {
    const size_t end = at + number.size();
    if ((at == 0 || !is_digit_byte(text[at - 1])) &&
        (end == text.size() || !is_digit_byte(text[end])))
      return at;
  }
  return std::string::npos;
}

/// Whether a term may stand at this place: not within a longer word of a script with spaces.
bool is_whole(std::string_view text, size_t begin, size_t end) {
  constexpr size_t kLongestCharacter = 4;  // bytes
  const size_t near = begin - std::min(begin, kLongestCharacter);
  const auto before = to_code_points(text.substr(near, begin - near));
  const auto term = to_code_points(text.substr(begin, end - begin));
  const auto after = to_code_points(text.substr(end, 4));
  const auto is_part = [](char32_t code) { return is_letter(code) || is_number(code); };
  const bool inner_start = !before.empty() && is_part(before.back()) && is_part(term.front()) &&
                           !is_written_without_spaces(term.front());
  // Korean particles follow their noun directly.
  const bool inner_end =
      !after.empty() && is_part(after.front()) && has_case(term.back()) && has_case(after.front());
  return !inner_start && !inner_end;
}

/// Whether it is part of a longer word of a script without spaces, within which attention shows no
/// place. Korean has spaces, also with Chinese characters in brackets.
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

/// Whether one is the other on a clock of twelve hours: "15 Uhr" is "3 p.m."
bool is_same_hour(std::string_view one, std::string_view other) {
  const auto hour = parse_number<int>(one);
  const auto other_hour = parse_number<int>(other);
  return hour && other_hour && std::max(*hour, *other_hour) <= 24 &&
         std::abs(*hour - *other_hour) == 12;
}

struct ComposedText {
  std::string text;            // in NFC
  std::vector<size_t> places;  // of its bytes and its end, in the text as written
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

size_t find_whole(const std::string& text, const std::string& wanted) {
  size_t at = text.find(wanted);
  while (at != std::string::npos && !is_whole(text, at, at + wanted.size())) {
    at = text.find(wanted, at + 1);
  }
  return at;
}

/// How many of the tokens the prefix and the word that it leaves open take.
size_t prefix_length(const std::vector<int32_t>& tokens, const GivenTokens& given,
                     const Tokenizer& tokenizer) {
  size_t length = std::min(given.prefix, tokens.size());
  if (given.partial_word <= kSpaceMark.size()) return length;  // any word may follow
  for (size_t spelled = 0; spelled < given.partial_word && length < tokens.size(); ++length) {
    const auto& piece = tokenizer.piece(tokens[length]);
    spelled += byte_of_piece(piece) ? 1 : piece.size();
  }
  return length;
}

/// Writes replacements into the units of one translation.
class Restoration {
 public:
  Restoration(Units& units, std::vector<std::vector<float>> attention, size_t first_word,
              const std::vector<bool>& common)
      : units_(units),
        attention_(std::move(attention)),
        first_word_(first_word),
        common_(common),
        used_(units.of_word.size(), false),
        given_(used_),
        closed_(used_) {
    for (const auto& row : attention_) {
      links_.push_back(static_cast<size_t>(std::max_element(row.begin(), row.end()) - row.begin()));
    }
  }

  /// Keeps these units as they are, and together.
  void keep(size_t begin, size_t end) {
    for (size_t unit = begin; unit < end; ++unit) {
      used_[unit] = given_[unit] = true;
      closed_[unit] = closed_[unit] || unit > begin;
      const bool begins = unit == begin || units_.of_word[unit] != units_.of_word[unit - 1];
      given_text_ += (begins ? " " : "") + units_.words.texts[unit];
    }
  }

  /// Keeps the first units likewise. Insertions follow the first `unbroken`.
  void keep_prefix(size_t end, size_t unbroken) {
    keep(0, end);
    std::fill_n(closed_.begin(), std::max(end, unbroken), true);
  }

  void write(const Replacement& replacement) {
    using Kind = Replacement::Kind;
    if (replacement.kind == Kind::kKnownNumber) return;  // see repair()
    first_ = column_of(replacement.first_word);
    last_ = column_of(replacement.last_word + 1);
    const bool carried =
        replacement.kind == Kind::kNewNumber || replacement.kind == Kind::kPlaceholder;
    const bool is_number = replacement.kind == Kind::kNewNumber;
    const bool attended = replacement.has_place && (is_number || replacement.kind == Kind::kTerm);
    if (!is_number && take_given(replacement)) return;
    if (carried && replace_carrier(replacement)) return;  // what the model read is not to be seen
    if ((is_number && take_given(replacement)) || (attended && is_translated())) return;
    const size_t best = attended ? best_unit() : kNone;
    if (best == kNone) {
      insert(replacement);
    } else {
      replace_run(best, replacement.text);
    }
  }

  /// The units as words, and the insertions as words of their own. Returns these. A unit without
  /// text belongs to the word before it, or else to the first.
  std::vector<WordLink> write_words(Words& words) {
    std::vector<WordLink> added;
    std::vector<size_t> word_of(units_.of_word.size());
    auto& texts = words.texts;
    texts.clear();
    size_t kept = kNone;    // the last unit with text
    bool inserted = false;  // since then
    for (size_t unit = 0; unit <= word_of.size(); ++unit) {
      const size_t first = texts.size();
      for (const auto& insertion : insertions_) {
        if (insertion.place != unit) continue;
        added.push_back(word_link(insertion.source_word, texts.size()));
        texts.push_back(insertion.text);
      }
      inserted = inserted || texts.size() > first;
      if (unit == word_of.size()) {
        if (texts.size() > first && first > 0 && !given_.back()) {
          move_mark(texts[first - 1], texts.back());
        }
        break;
      }
      const auto& text = units_.words.texts[unit];
      if (text.empty() && kept != kNone) word_of[unit] = word_of[kept];
      if (text.empty()) continue;
      const bool begins = inserted || kept == kNone || units_.of_word[unit] != units_.of_word[kept];
      if (begins) texts.emplace_back();
      texts.back() += text;
      word_of[unit] = texts.size() - 1;
      if (kept == kNone) std::fill_n(word_of.begin(), unit, word_of[unit]);
      kept = unit;
      inserted = false;
    }
    if (texts.empty()) texts.emplace_back();
    for (size_t t = 0; t < words.of_token.size(); ++t) {
      words.of_token[t] = word_of[units_.words.of_token[t]];
    }
    return added;
  }

  /// Replaces numbers that the source lacks by numbers of it that the translation lacks.
  void repair(const std::vector<Replacement>& numbers) {
    std::vector<const Replacement*> missing;
    for (const auto& number : numbers) {
      const bool known = number.kind == Replacement::Kind::kKnownNumber;
      if (known && !has_number(number.text)) missing.push_back(&number);
    }
    if (missing.empty()) return;
    for (size_t unit = 0; unit < units_.words.texts.size(); ++unit) {
      auto& text = units_.words.texts[unit];
      const auto spans = find_protected_spans(text);
      if (used_[unit] || spans.size() != 1 || spans[0].kind != SpanKind::kNumber) continue;
      const auto own = digits_of(text);
      const bool known = std::any_of(numbers.begin(), numbers.end(), [&](const auto& number) {
        return digits_of(number.text) == own;
      });
      if (known) continue;
      const auto is_linked = [&](const Replacement* number) {
        return unit < links_.size() && column_of(number->first_word) == links_[unit];
      };
      auto source = std::find_if(missing.begin(), missing.end(), is_linked);
      if (source == missing.end() && missing.size() == 1 && may_translate(unit, *missing.front())) {
        source = missing.begin();
      }
      if (source == missing.end() || is_same_hour((*source)->text, own)) continue;
      text.replace(spans[0].begin, spans[0].end - spans[0].begin, (*source)->text);
      used_[unit] = true;
      missing.erase(source);
    }
  }

 private:
  size_t column_of(size_t word) const {
    const size_t columns = attention_.empty() ? 0 : attention_.front().size();
    return std::min(std::max(word, first_word_) - first_word_, columns);
  }

  bool has_number(const std::string& number) const {
    const auto digits = digits_of(number);
    return std::any_of(
        units_.words.texts.begin(), units_.words.texts.end(),
        [&](const std::string& text) { return digits_of(text).find(digits) != std::string::npos; });
  }

  float mass(size_t unit) const {
    float sum = 0.0F;
    for (size_t column = first_; column < last_; ++column) sum += attention_[unit][column];
    return sum;
  }

  /// Whether the unit may say that number: without attention, any may.
  bool may_translate(size_t unit, const Replacement& number) {
    first_ = column_of(number.first_word);
    last_ = column_of(number.last_word + 1);
    return unit >= attention_.size() || mass(unit) >= kLeastAttention;
  }

  bool looks_there(size_t unit) const { return links_[unit] >= first_ && links_[unit] < last_; }

  bool is_own(size_t unit) const { return !used_[unit] && looks_there(unit); }

  /// Whether the user wrote it. Each occurrence counts once.
  bool take_given(const Replacement& replacement) {
    const auto& text = replacement.text;
    const bool is_number = replacement.kind == Replacement::Kind::kNewNumber;
    const size_t at = is_number ? find_number(given_text_, text) : find_whole(given_text_, text);
    if (at != std::string::npos) given_text_.erase(at, text.size());
    return at != std::string::npos;
  }

  /// Whether a word or number that the user wrote attends to the words of the replacement.
  bool is_translated() const {
    for (size_t unit = 0; unit < links_.size(); ++unit) {
      const bool says_much = !common_[unit] || !digits_of(units_.words.texts[unit]).empty();
      if (given_[unit] && says_much && looks_there(unit)) return true;
    }
    return false;
  }

  bool replace_carrier(const Replacement& replacement) {
    if (replacement.carrier.empty()) return has_number(replacement.text);
    size_t best = kNone;
    for (size_t unit = 0; unit < used_.size(); ++unit) {
      if (used_[unit] ||
          find_number(units_.words.texts[unit], replacement.carrier) == std::string::npos) {
        continue;
      }
      if (best == kNone || (unit < attention_.size() && mass(unit) > mass(best))) best = unit;
    }
    if (best == kNone) return false;
    auto& text = units_.words.texts[best];
    text.replace(find_number(text, replacement.carrier), replacement.carrier.size(),
                 replacement.text);
    used_[best] = true;
    return true;
  }

  size_t best_unit() const {
    size_t best = kNone;
    const auto rank = [&](size_t unit) {
      return std::tuple(is_own(unit), !common_[unit], mass(unit));
    };
    const auto is_better = [&](size_t unit) {
      if (best == kNone) return is_own(unit) || mass(unit) >= kLeastAttention;
      return rank(unit) > rank(best);
    };
    for (size_t unit = 0; unit < attention_.size(); ++unit) {
      if (!used_[unit] && is_better(unit)) best = unit;
    }
    return best;
  }

  /// The run of units around `best` that attend there, without common words at its ends.
  void replace_run(size_t best, const std::string& text) {
    size_t begin = best;
    size_t end = best + 1;
    while (begin > 0 && is_own(begin - 1)) --begin;
    while (end < used_.size() && is_own(end)) ++end;
    while (begin < best && common_[begin]) ++begin;
    while (end > best + 1 && common_[end - 1]) --end;
    auto& texts = units_.words.texts;
    const auto replaced = with_core(texts[begin], text, is_no_mark);
    const auto trailing = begin + 1 == end ? "" : with_core(texts[end - 1], "", is_no_mark);
    for (size_t unit = begin; unit < end; ++unit) {
      used_[unit] = true;
      texts[unit].clear();
    }
    texts[begin] = replaced + trailing;
  }

  /// After the unit that attends to the nearest source word before; at the end where the source has
  /// it there.
  void insert(const Replacement& replacement) {
    const bool at_end = links_.empty() || first_ == attention_.front().size();
    size_t after = at_end ? units_.words.texts.size() - 1 : kNone;
    for (size_t unit = 0; unit < links_.size(); ++unit) {
      if (!at_end && links_[unit] < first_ && (after == kNone || links_[unit] >= links_[after]))
        after = unit;
    }
    size_t place = after == kNone ? 0 : after + 1;
    while (place < closed_.size() && closed_[place]) ++place;
    for (auto& word : written_words(replacement.text)) {
      insertions_.push_back({place, replacement.first_word, std::move(word)});
    }
  }

  /// The mark that ends a sentence follows what is inserted at its end.
  static void move_mark(std::string& from, std::string& to) {
    const auto codes = to_code_points(from);
    if (codes.size() < 2 || !is_punctuation(codes.back())) return;
    const auto body = to_utf8(std::u32string(codes.begin(), codes.end() - 1));
    to += from.substr(body.size());
    from = body;
  }

  struct Insertion {
    size_t place;  // the unit that it precedes, or their number
    size_t source_word;
    std::string text;
  };

  Units& units_;
  const std::vector<std::vector<float>> attention_;  // units, source words of the part
  const size_t first_word_;
  const std::vector<bool>& common_;
  std::vector<size_t> links_;  // the column with most attention
  std::vector<bool> used_;     // written to, or given
  std::vector<bool> given_;    // by the user
  std::vector<bool> closed_;   // nothing is inserted before it
  std::string given_text_;
  std::vector<Insertion> insertions_;
  size_t first_ = 0;  // columns of the replacement being written
  size_t last_ = 0;   // the one after them
};

/// The numbers that a vocabulary has as a word of one piece, frequent first.
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

bool is_one_piece(std::string_view text, const Tokenizer& tokenizer) {
  const auto tokens = tokenizer.encode(text);
  const bool split = tokens.size() == 2 && tokenizer.piece(tokens.front()) == kSpaceMark;
  return !tokens.empty() && tokens.back() != kUnknownId && (tokens.size() == 1 || split);
}

/// Removes from `spans` those outside [begin, end), emoji with which the sentence begins there, and
/// all but numbers with which it ends. Returns where what lies between them begins and ends.
std::pair<size_t, size_t> take_outer_spans(const std::string& sentence, size_t begin, size_t end,
                                           std::vector<ProtectedSpan>& spans) {
  const auto is_blank = [&](size_t first, size_t last) {
    return split_whitespace(std::string_view(sentence).substr(first, last - first)).empty();
  };
  while (!spans.empty() && spans.back().begin >= end) spans.pop_back();
  while (!spans.empty() && spans.back().kind != SpanKind::kNumber && spans.back().begin >= begin &&
         is_blank(spans.back().end, end)) {
    end = spans.back().begin;
    spans.pop_back();
  }
  auto first_span = spans.begin();
  while (first_span != spans.end() &&
         (first_span->begin < begin ||
          (first_span->kind == SpanKind::kEmoji && is_blank(begin, first_span->begin)))) {
    begin = std::max(begin, first_span->end);
    ++first_span;
  }
  spans.erase(spans.begin(), first_span);
  return {begin, end};
}

/// Widens spans other than numbers to brackets right around them, within [begin, end). Returns the
/// numbers.
std::vector<std::string> widen_to_brackets(const std::string& sentence, size_t begin, size_t end,
                                           std::vector<ProtectedSpan>& spans) {
  std::vector<std::string> numbers;
  for (auto& span : spans) {
    const bool bracketed = span.begin > begin && sentence[span.begin - 1] == '(' &&
                           span.end < end && sentence[span.end] == ')';
    if (span.kind == SpanKind::kNumber) {
      numbers.push_back(sentence.substr(span.begin, span.end - span.begin));
    } else if (bracketed) {
      span = {span.kind, span.begin - 1, span.end + 1};
    }
  }
  return numbers;
}

}  // namespace

Protection::Protection(const Tokenizers& tokenizers, Terms terms)
    : tokenizers_(tokenizers),
      reads_tokens_(reads_tokens(tokenizers.source.bytes())),
      placeholders_(placeholders_of(tokenizers)),
      terms_(std::move(terms)) {
  auto longest_first = terms_;
  for (auto& term : longest_first) term.first = to_nfc(term.first);
  const auto rank = [](const Term& term) {  // among equal ones, that with capitals first
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

/// The number, with its sign if the model would not read that.
ProtectedSpan Protection::with_unknown_sign(std::string_view text, const ProtectedSpan& number,
                                            size_t from) const {
  const auto found = find_signed_number(text, number, from);
  const bool is_unknown =
      found &&
      has_unknown_piece(tokenizers_.source.encode(to_utf8({&found->sign, 1})), tokenizers_.source);
  return is_unknown ? ProtectedSpan{number.kind, found->begin, found->end} : number;
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

ProtectedSentence Protection::protect(const std::string& sentence, bool keeps_list_marks) const {
  ProtectedSentence result{"", "", sentence, sentence, "", "", {}, {}};
  auto spans = find_protected_spans(sentence);
  const bool keeps_marks = keeps_list_marks && !reads_tokens_;
  const size_t mark = keeps_marks ? list_mark_length(sentence) : 0;
  if (spans.empty() && terms_.empty() && mark == 0) return result;
  auto& [before, gap, text, for_model, last_gap, after, replacements, unread] = result;
  const size_t footnotes = keeps_marks ? footnotes_begin(sentence) : sentence.size();
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
  bool has_words = false;
  const auto add_plain = [&, &for_model = for_model](const std::string& plain) {
    const auto codes = to_code_points(plain);
    has_words = has_words || std::any_of(codes.begin(), codes.end(), is_letter);
    for_model += plain;
  };
  const auto read = std::string_view(sentence).substr(0, end);
  size_t at = 0;             // in text
  size_t unread_at = kNone;  // begin of the spans up to `at` that the model does not read
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
      continue;  // "▁193" and "4" may be one number
    }
    const auto span = is_number ? with_unknown_sign(read, bare, begin + at) : bare;
    const size_t first = span.begin - begin;
    if (first > at || unread_at == kNone) unread_at = first;
    const auto own = sentence.substr(span.begin, span.end - span.begin);
    add_plain(text.substr(at, first - at));
    at = span.end - begin;
    const size_t word = word_at(text, first);
    Replacement replacement{Replacement::Kind::kInserted, word, word, own};
    if (is_number) {
      unread_at = kNone;
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
      replacement.last_word = word_at(text, at - 1);
      replacement.has_place = !is_in_unspaced_word(text, first, at);
      // The sign may be a word.
      for (size_t sign = word; sign < replacement.last_word; ++sign) unread.push_back(sign + 1);
    } else if (std::find(placeholders_.begin(), placeholders_.end(), span.kind) !=
               placeholders_.end()) {
      unread_at = kNone;
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
  for (const auto& [first, last, target] : terms) {
    replacements.push_back(
        {Replacement::Kind::kTerm, word_at(text, first), word_at(text, last - 1), target});
  }
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
  if (lower.size() != text.size()) lower = text;  // has rare letters; places would not agree
  for (size_t at = 0; at < text.size() && found.size() + spans.size() < kMaxReplacements;) {
    const auto terms = by_character_.find(lower.substr(at, character_length(lower, at)));
    size_t next = at + character_length(text, at);
    for (const auto& term : terms == by_character_.end() ? kNoTerms : terms->second) {
      const size_t size = term.source.size();
      const size_t end = at + size;
      const bool is_same = text.compare(at, size, term.source) == 0 ||
                           (term.any_case && lower.compare(at, size, term.source) == 0);
      if (!is_same || !is_whole(text, at, end) || is_in_unspaced_word(text, at, end)) continue;
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

std::vector<WordLink> Protection::restore(const std::vector<Replacement>& replacements,
                                          const std::vector<std::vector<float>>& attention,
                                          const Words& source, size_t first_source,
                                          size_t num_source, const std::vector<int32_t>& tokens,
                                          Words& words, bool all_caps,
                                          const GivenTokens& given) const {
  auto units = units_of(tokens, words, tokenizers_.target);
  if (all_caps) {
    for (auto& text : units.words.texts) text = to_upper(text);
  }
  std::vector<bool> common(units.of_word.size(), true);
  std::vector<size_t> sizes(units.of_word.size(), 0);
  for (size_t t = 0; t < tokens.size(); ++t) {
    const size_t unit = units.words.of_token[t];
    common[unit] = common[unit] && ++sizes[unit] == 1 && tokens[t] < kCommonPieces;
  }
  auto rows = word_attention(attention, source, first_source, num_source, units.words);
  Restoration restoration(units, std::move(rows), source.of_token[first_source], common);
  const auto units_of_first = [&](size_t count) {
    return count == 0 ? 0 : units.words.of_token[std::min(count, tokens.size()) - 1] + 1;
  };
  restoration.keep_prefix(units_of_first(prefix_length(tokens, given, tokenizers_.target)),
                          units_of_first(given.unbroken));
  for (const auto& phrase : given.phrases) {
    const auto found = find_phrase(tokens, phrase, given.joints);
    if (found == tokens.end()) continue;
    const auto first = static_cast<size_t>(found - tokens.begin());
    restoration.keep(units.words.of_token[first], units_of_first(first + phrase.size()));
  }
  for (const auto& replacement : replacements) restoration.write(replacement);
  restoration.repair(replacements);
  for (auto& text : units.words.texts) {
    // What the model wrote without a text to put there.
    for (const SpanKind kind : placeholders_) replace_all(text, placeholder_of(kind), "");
  }
  return restoration.write_words(words);
}

Protection::Terms read_terms(const std::string& path) {
  Protection::Terms terms;
  LineReader reader(path);
  for (std::string line; reader.next(line);) {
    require_utf8(line, path, reader.line_number());
    if (line.empty()) continue;
    const auto tab = line.find('\t');
    const auto source = line.substr(0, tab);
    if (source.empty() || tab == std::string::npos || tab + 1 == line.size() ||
        line.find('\t', tab + 1) != std::string::npos) {
      throw Error(path + ": line " + std::to_string(reader.line_number()) +
                  ": not a term; use SOURCE, a tab and TARGET");
    }
    terms.emplace_back(source, line.substr(tab + 1));
  }
  return terms;
}

}  // namespace nmt
