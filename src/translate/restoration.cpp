#include <algorithm>
#include <cstdlib>
#include <utility>

#include "config/choice.h"
#include "decode/phrase_constraints.h"
#include "numbers/parse.h"
#include "text/byte_pieces.h"
#include "text/placeholders.h"
#include "text/sentence_marks.h"
#include "text/special_tokens.h"
#include "translate/protection.h"
#include "unicode/code_points.h"
#include "unicode/letter_case.h"
#include "unicode/scripts.h"
#include "unicode/substrings.h"

// Protection::restore(): writes replacements into a translation.

namespace nmt {
namespace {

constexpr int32_t kCommonPieces = 64;  // the most frequent pieces: articles, prepositions, marks
constexpr float kMinAttention = 0.25F;
constexpr size_t kNone = static_cast<size_t>(-1);

/// The units that replacements can replace: words, or tokens in scripts without spaces.
struct Units {
  Words words;                  // units in the form of Words, to compute attention
  std::vector<size_t> of_word;  // the word of each unit
  std::vector<bool> common;     // of each unit: it is one of kCommonPieces
};

Units units_of(const std::vector<int32_t>& tokens, const Words& words, const Tokenizer& tokenizer) {
  Units units;
  std::vector<std::vector<int32_t>> pieces;
  for (size_t t = 0; t < tokens.size(); ++t) {
    const auto& piece = tokenizer.piece(tokens[t]);
    const bool begins = t == 0 || words.of_token[t] != words.of_token[t - 1];
    if (begins || is_written_without_spaces(first_code(piece))) {
      pieces.emplace_back();
      units.of_word.push_back(words.of_token[t]);
    }
    pieces.back().push_back(tokens[t]);
    units.words.of_token.push_back(pieces.size() - 1);
  }
  for (const auto& unit : pieces) {
    auto text = tokenizer.decode(unit);
    replace_all(text, " \u2047 ", "\u2047");  // an unknown piece
    text.erase(0, text.find_first_not_of(' '));
    units.words.texts.push_back(std::move(text));
    units.common.push_back(unit.size() == 1 && unit.front() < kCommonPieces);
  }
  units.words.is_mark = marks_of_words(tokens, units.words.of_token, tokenizer);
  return units;
}

/// U+2047 is an unknown piece.
bool is_no_mark(char32_t code) { return !is_punctuation(code) || code == U'\u2047'; }

/// Removes the sentence mark after `text` within `marked` if `text` ends with the same one, or, for
/// `any`, with any.
std::string without_second_mark(const std::string& marked, const std::string& text, bool any) {
  const auto codes = to_code_points(text);
  const size_t end = marked.find(text) + text.size();
  auto after = to_code_points(std::string_view(marked).substr(end));
  if (codes.empty() || after.empty() || !is_sentence_mark(codes.back())) return marked;
  if (any ? is_sentence_mark(after.front()) : after.front() == codes.back()) after.erase(0, 1);
  return marked.substr(0, end) + to_utf8(after);
}

/// Whether a digit, or a decimal point or separator of thousands next to one, precedes `at`.
bool follows_digit(std::string_view text, size_t at) {
  if (at > 1 && is_one_of(text[at - 1], U".,")) --at;
  return at > 0 && is_ascii_digit(text[at - 1]);
}

/// The same for what follows.
bool precedes_digit(std::string_view text, size_t at) {
  if (at + 1 < text.size() && is_one_of(text[at], U".,")) ++at;
  return at < text.size() && is_ascii_digit(text[at]);
}

/// The offset of a number in the text that is not part of a longer number, or npos.
size_t find_number(std::string_view text, std::string_view number) {
  for (size_t at = text.find(number); at != std::string::npos; at = text.find(number, at + 1)) {
    if (!follows_digit(text, at) && !precedes_digit(text, at + number.size())) return at;
  }
  return std::string::npos;
}

/// Whether the text has a number of these digits, with any separators, or no others.
bool has_digits(std::string_view text, const std::string& digits) {
  if (digits_of(text) == digits) return true;
  for (size_t begin = 0; begin < text.size(); ++begin) {
    if (!is_ascii_digit(text[begin])) continue;
    size_t end = begin + 1;
    while (end < text.size() && (is_ascii_digit(text[end]) || precedes_digit(text, end))) ++end;
    if (digits_of(text.substr(begin, end - begin)) == digits) return true;
    begin = end;
  }
  return false;
}

/// Whether a replacement writes a number of these digits.
bool writes_number(const std::vector<Replacement>& replacements, const std::string& digits) {
  return std::any_of(replacements.begin(), replacements.end(),
                     [&](const Replacement& one) { return digits_of(one.text) == digits; });
}

/// Whether the model reads this number in place of another.
bool reads_number(const std::vector<Replacement>& replacements, const std::string& number) {
  return std::any_of(replacements.begin(), replacements.end(),
                     [&](const Replacement& one) { return one.carrier == number; });
}

/// Whether the hours differ by 12, as "15 Uhr" and "3 p.m." do.
bool is_same_hour(std::string_view one, std::string_view other) {
  const auto hour = parse_number<int>(one);
  const auto other_hour = parse_number<int>(other);
  return hour && other_hour && std::max(*hour, *other_hour) <= 24 &&
         std::abs(*hour - *other_hour) == 12;
}

size_t find_whole(const std::string& text, const std::string& wanted) {
  size_t at = text.find(wanted);
  while (at != std::string::npos && !is_whole_term(text, at, at + wanted.size())) {
    at = text.find(wanted, at + 1);
  }
  return at;
}

/// The number of tokens in the prefix and its partial word.
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
  Restoration(Units& units, std::vector<std::vector<float>> attention, size_t first_word)
      : units_(units),
        attention_(std::move(attention)),
        first_word_(first_word),
        used_(units.of_word.size(), false),
        given_(used_),
        closed_(used_) {
    for (const auto& row : attention_) links_.push_back(strongest(row));
  }

  /// Protects these units from changes and insertions between them.
  void keep(size_t begin, size_t end) {
    for (size_t unit = begin; unit < end; ++unit) {
      used_[unit] = given_[unit] = true;
      closed_[unit] = closed_[unit] || unit > begin;
      const bool begins = unit == begin || units_.of_word[unit] != units_.of_word[unit - 1];
      given_text_ += (begins ? " " : "") + units_.words.texts[unit];
    }
  }

  /// Protects the first `end` units. Insertions come after the first `unbroken` units. `ends`: the
  /// prefix is the whole translation.
  void keep_prefix(size_t end, size_t unbroken, bool ends) {
    keep(0, end);
    end_is_given_ = ends;
    std::fill_n(closed_.begin(), std::max(end, unbroken), true);
  }

  void write(const Replacement& replacement) {
    using Kind = Replacement::Kind;
    if (replacement.kind == Kind::kKnownNumber) return;  // see repair()
    if (replacement.kind == Kind::kLowerCase) return;    // see Protection::restore()
    if (is_of_form(replacement.kind)) return write_marks(replacement);
    first_ = column_of(replacement.first_word);
    last_ = column_of(replacement.last_word + 1);
    const bool is_number = replacement.kind == Kind::kNewNumber;
    const bool carried = is_number || replacement.kind == Kind::kPlaceholder;
    const bool attended = replacement.has_place && (is_number || replacement.kind == Kind::kTerm);
    if (!is_number && take_given(replacement)) return;
    if (carried && replace_carrier(replacement)) return;  // the carrier must not remain visible
    if ((is_number && take_given(replacement)) || (attended && is_translated())) return;
    const size_t best = attended ? best_unit(is_number) : kNone;
    if (best == kNone) {
      insert(replacement);
    } else {
      replace_run(best, replacement);
    }
  }

  /// Writes the units as words and insertions as words of their own; returns the latter. A unit
  /// without text belongs to the word before it, or else to the first.
  std::vector<WordLink> write_words(Words& words) {
    std::vector<WordLink> added;
    std::vector<size_t> word_of(units_.of_word.size());
    auto& texts = words.texts;
    texts.clear();
    size_t kept = kNone;    // the last unit with text
    bool inserted = false;  // since the last unit with text
    for (size_t unit = 0; unit <= word_of.size(); ++unit) {
      const size_t first = texts.size();
      for (const auto& insertion : insertions_) {
        if (insertion.place != unit) continue;
        const bool is_joined = is_superscript_digit(first_code(insertion.text));
        if (is_joined && kept != kNone) {
          join(texts.back(), insertion.text);
        } else {
          texts.push_back(insertion.text);
        }
        added.push_back(word_link(insertion.source_word, texts.size() - 1));
      }
      inserted = inserted || texts.size() > first;
      if (unit == word_of.size()) {
        if (texts.size() > first && first > 0 && !given_.back() && !marks_apart_) {
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

  /// Replaces numbers that are not in the source by source numbers that the translation lacks.
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
      if (writes_number(numbers, own)) continue;
      const auto is_linked = [&](const Replacement* number) {
        return unit < links_.size() && column_of(number->first_word) == links_[unit];
      };
      auto source = std::find_if(missing.begin(), missing.end(), is_linked);
      if (source == missing.end() && missing.size() == 1 &&
          (reads_number(numbers, own) || may_translate(unit, *missing.front()))) {
        source = missing.begin();
      }
      if (source == missing.end() || is_same_hour((*source)->text, own)) continue;
      text.replace(spans[0].begin, spans[0].end - spans[0].begin, (*source)->text);
      used_[unit] = true;
      missing.erase(source);
    }
  }

  /// Removes carriers that the model wrote more often than it read them.
  void drop_carriers(const std::vector<Replacement>& numbers) {
    for (size_t unit = 0; unit < units_.words.texts.size(); ++unit) {
      auto& text = units_.words.texts[unit];
      const auto own = digits_of(text);
      if (own.empty() || used_[unit] || !reads_number(numbers, own) ||
          writes_number(numbers, own)) {
        continue;
      }
      const size_t at = find_number(text, own);
      if (at != std::string::npos) text.erase(at, own.size());
    }
  }

 private:
  size_t column_of(size_t word) const {
    const size_t columns = attention_.empty() ? 0 : attention_.front().size();
    return std::min(std::max(word, first_word_) - first_word_, columns);
  }

  bool has_number(const std::string& number) const {
    const auto digits = digits_of(number);
    return std::any_of(units_.words.texts.begin(), units_.words.texts.end(),
                       [&](const std::string& text) { return has_digits(text, digits); });
  }

  /// Attention of the unit to these columns.
  float mass_of(size_t unit, size_t begin, size_t end) const {
    float sum = 0.0F;
    for (size_t column = begin; column < end; ++column) sum += attention_[unit][column];
    return sum;
  }

  float mass(size_t unit) const { return mass_of(unit, first_, last_); }

  bool has_more(size_t unit, size_t other) const {
    return mass(unit) > mass(other) + kAttentionTolerance;
  }

  /// Whether the unit may be that number's translation; without attention, any may.
  bool may_translate(size_t unit, const Replacement& number) {
    first_ = column_of(number.first_word);
    last_ = column_of(number.last_word + 1);
    return unit >= attention_.size() || mass(unit) >= kMinAttention;
  }

  bool looks_there(size_t unit) const { return links_[unit] >= first_ && links_[unit] < last_; }

  bool is_own(size_t unit) const { return !used_[unit] && looks_there(unit); }

  /// Whether the user's text contains the replacement. Consumes one occurrence.
  bool take_given(const Replacement& replacement) {
    const auto& text = replacement.text;
    const bool is_number = replacement.kind == Replacement::Kind::kNewNumber;
    const size_t at = is_number ? find_number(given_text_, text) : find_whole(given_text_, text);
    if (at != std::string::npos) given_text_.erase(at, text.size());
    return at != std::string::npos;
  }

  /// Whether a word or number of the user's text attends to the replacement's source words.
  bool is_translated() const {
    for (size_t unit = 0; unit < links_.size(); ++unit) {
      const bool says_much = !units_.common[unit] || !digits_of(units_.words.texts[unit]).empty();
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
      if (best == kNone || (unit < attention_.size() && has_more(unit, best))) best = unit;
    }
    if (best == kNone) return false;
    auto& text = units_.words.texts[best];
    text.replace(find_number(text, replacement.carrier), replacement.carrier.size(),
                 replacement.text);
    used_[best] = true;
    return true;
  }

  /// The unit that attends most to the replacement's source words. Words that attend to other words
  /// more are no translations of a number.
  size_t best_unit(bool is_number) const {
    size_t best = kNone;
    const auto rank = [&](size_t unit) { return std::pair(is_own(unit), !units_.common[unit]); };
    const auto is_better = [&](size_t unit) {
      const bool may_be = !is_number || !digits_of(units_.words.texts[unit]).empty();
      if (!is_own(unit) && (!may_be || mass(unit) < kMinAttention)) return false;
      if (best == kNone) return true;
      return rank(unit) == rank(best) ? has_more(unit, best) : rank(unit) > rank(best);
    };
    for (size_t unit = 0; unit < attention_.size(); ++unit) {
      if (!used_[unit] && is_better(unit)) best = unit;
    }
    return best;
  }

  /// Replaces the run of units around `best` that attend to the replacement's source words, except
  /// common words at its ends; or all units for a term of all words.
  void replace_run(size_t best, const Replacement& replacement) {
    using Extent = Replacement::Extent;
    const bool all = replacement.extent != Extent::kPart &&
                     std::find(used_.begin(), used_.end(), true) == used_.end();
    size_t begin = all ? 0 : best;
    size_t end = all ? used_.size() : best + 1;
    while (begin > 0 && is_own(begin - 1)) --begin;
    while (end < used_.size() && is_own(end)) ++end;
    while (!all && begin < best && units_.common[begin]) ++begin;
    while (!all && end > best + 1 && units_.common[end - 1]) --end;
    std::string run;
    for (size_t unit = begin; unit < end; ++unit) {
      used_[unit] = true;
      run += std::exchange(units_.words.texts[unit], "");
    }
    const auto text = without_repeated_words(replacement.text, begin);
    units_.words.texts[begin] =
        all && replacement.extent == Extent::kSentence
            ? text
            : without_second_mark(with_core(run, text, is_no_mark), text, all);
  }

  /// The text without its first words if the words before `begin` are the same: "park" of "in the
  /// park" after "in the".
  std::string without_repeated_words(const std::string& text, size_t begin) const {
    const auto words = written_words(text);
    const auto are_repeated = [&](size_t count) {
      for (size_t i = 0; i < count; ++i) {
        const size_t unit = begin - count + i;
        if (used_[unit] || to_lower(units_.words.texts[unit]) != to_lower(words[i])) return false;
      }
      return true;
    };
    size_t count = std::min(words.size(), begin + 1);
    while (count-- > 1) {
      if (!are_repeated(count)) continue;
      return list_of({words.begin() + static_cast<std::ptrdiff_t>(count), words.end()}, " ");
    }
    return text;
  }

  /// After the last unit that attends most to the column before `next`. If there is none: where the
  /// units before attend most to columns before `next`, and those after to columns from there on.
  size_t best_place(size_t next) const {
    for (size_t unit = links_.size(); next > 0 && unit > 0; --unit) {
      if (links_[unit - 1] + 1 == next) return unit;
    }
    const size_t columns = attention_.front().size();
    size_t best = 0;
    float most = 0.0F;
    float score = 0.0F;
    for (size_t unit = 0; unit < links_.size(); ++unit) {
      score += mass_of(unit, 0, next) - mass_of(unit, next, columns);
      const float total = score + (next > 0 ? 2 * attention_[unit][next - 1] : 0.0F);
      if (total <= most) continue;
      best = unit + 1;
      most = total;
    }
    return best;
  }

  /// Inserts where attention divides the source words before it from those after it, or at the end
  /// if the source has it there.
  void insert(const Replacement& replacement) {
    const size_t next = column_of(std::max(replacement.first_word, replacement.next_word));
    const bool at_end = links_.empty() || next == attention_.front().size();
    size_t place = at_end ? units_.words.texts.size() : best_place(next);
    while (place < closed_.size() && closed_[place]) ++place;
    size_t source_word = replacement.first_word;
    for (auto& word : written_words(replacement.text)) {
      insertions_.push_back({place, source_word, std::move(word)});
      // A copied text has as many words as its source; a term need not.
      if (replacement.kind == Replacement::Kind::kInserted) ++source_word;
    }
  }

  /// Writes marks to the beginning of the translation, or to an end that the user did not give.
  void write_marks(const Replacement& marks) {
    auto& texts = units_.words.texts;
    if (marks.kind == Replacement::Kind::kFirstMarks) {
      texts.front().insert(0, marks.text);
      return;
    }
    size_t unit = texts.size() - 1;
    while (unit > 0 && texts[unit].empty()) --unit;
    if (end_is_given_) return;
    const auto codes = to_code_points(texts[unit]);
    auto begin = codes.cend();
    auto end = begin;
    if (!marks.carrier.empty()) {
      const auto is_mark = [](char32_t code) {
        return is_punctuation(code) && code != kUnknownMark;
      };
      const auto is_carried = [&](char32_t code) {  // Greek asks with a semicolon
        return is_sentence_mark(code) || (code == U';' && marks.carrier == "?");
      };
      begin = std::find_if_not(codes.rbegin(), codes.rend(), is_mark).base();
      const auto stop = std::find_if(begin, end, is_carried);
      if (stop != end) begin = stop;
      end = std::find_if_not(begin, end, is_carried);
    }
    const auto attached = marks.text.substr(0, marks.text.find(' '));
    texts[unit] = to_utf8(std::u32string(codes.cbegin(), begin)) + attached;
    auto rest = to_utf8(std::u32string(end, codes.cend()));
    if (attached == marks.text) {
      texts[unit] += rest;
      return;
    }
    rest.insert(0, marks.text.substr(attached.size() + 1));
    insertions_.push_back({texts.size(), marks.last_word, rest});
    marks_apart_ = true;
  }

  /// Writes a note mark to the word, before the punctuation at its end.
  static void join(std::string& word, const std::string& mark) {
    const auto codes = to_code_points(word);
    const auto end = std::find_if_not(codes.rbegin(), codes.rend(), is_punctuation).base();
    const size_t place = to_utf8(std::u32string(codes.begin(), end)).size();
    word.insert(place == 0 ? word.size() : place, mark);
  }

  /// Moves a final punctuation mark, or a run such as "!!", after what is inserted at the end.
  static void move_mark(std::string& from, std::string& to) {
    const auto codes = to_code_points(from);
    if (codes.size() < 2 || !is_punctuation(codes.back())) return;
    auto mark = codes.end() - 1;
    while (mark != codes.begin() + 1 && is_sentence_mark(*mark) && is_sentence_mark(*(mark - 1))) {
      --mark;
    }
    const auto body = to_utf8(std::u32string(codes.begin(), mark));
    to = without_second_mark(to + from.substr(body.size()), to, /*any=*/false);
    from = body;
  }

  struct Insertion {
    size_t place;  // index of the unit after it
    size_t source_word;
    std::string text;
  };

  Units& units_;
  const std::vector<std::vector<float>> attention_;  // [units, source words of the part]
  const size_t first_word_;
  std::vector<size_t> links_;  // column with the most attention, per unit
  std::vector<bool> used_;     // already replaced, or given
  std::vector<bool> given_;    // by the user
  std::vector<bool> closed_;   // no insertion before this unit
  std::string given_text_;
  std::vector<Insertion> insertions_;
  bool end_is_given_ = false;
  bool marks_apart_ = false;  // marks such as ":)" are a word at the end
  size_t first_ = 0;          // first column of the replacement being written
  size_t last_ = 0;           // column after the last
};

}  // namespace

std::vector<WordLink> Protection::restore(const std::vector<Replacement>& replacements,
                                          const PartAttention& attention,
                                          const std::vector<int32_t>& tokens, Words& words,
                                          bool all_caps, const GivenTokens& given) const {
  auto units = units_of(tokens, words, tokenizers_.target);
  if (all_caps) {
    for (auto& text : units.words.texts) text = to_upper(text);
  }
  if (has_kind(replacements, Replacement::Kind::kLowerCase) && !units.words.texts.empty()) {
    auto& first = units.words.texts.front();
    first = begun_in_lower_case(first, tokenizers_.target);
  }
  Restoration restoration(units, word_attention(attention, units.words),
                          attention.source.of_token[attention.first_token]);
  const auto units_of_first = [&](size_t count) {
    return count == 0 ? 0 : units.words.of_token[std::min(count, tokens.size()) - 1] + 1;
  };
  const size_t prefix = prefix_length(tokens, given, tokenizers_.target);
  restoration.keep_prefix(units_of_first(prefix), units_of_first(given.unbroken),
                          prefix == tokens.size());
  for (const auto& phrase : given.phrases) {
    const auto found = find_phrase(tokens, phrase, given.joints);
    if (found == tokens.end()) continue;
    const auto first = static_cast<size_t>(found - tokens.begin());
    restoration.keep(units.words.of_token[first], units_of_first(first + phrase.size()));
  }
  for (const auto& replacement : replacements) restoration.write(replacement);
  restoration.repair(replacements);
  restoration.drop_carriers(replacements);
  for (auto& text : units.words.texts) {
    // Removes placeholders for which there is no text.
    for (const SpanKind kind : placeholders_) replace_all(text, placeholder_of(kind), "");
  }
  return restoration.write_words(words);
}

}  // namespace nmt
