#include "text/sentence_splitter.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "text/protected_spans.h"
#include "text/sentence_marks.h"
#include "unicode/code_points.h"
#include "unicode/letter_case.h"
#include "unicode/scripts.h"

namespace nmt {
namespace {

using CodeSet = std::u32string_view;

constexpr CodeSet kClosing = U"\"'’”“»«›‹)]}）］｝」』】》〉";
constexpr CodeSet kEitherQuotes =
    U"“‘«‹";  // close in German and Danish, open in Chinese and French
constexpr CodeSet kDashesAndTildes = U"—–-_~～";  // "_" closes emphasis
constexpr CodeSet kOpeningBrackets = U"([{（［｛【";
constexpr CodeSet kClosingBrackets = U")]}）］｝】";
constexpr CodeSet kSeparators = U"|·•›»>";  // between spaces, as in menus and footers

/// White space, and NUL, which no sentence needs.
bool is_space(char32_t code) { return code == 0 || is_whitespace(code); }

std::set<std::string> words_in(std::string_view text) {
  const auto words = split_whitespace(text);
  return {words.begin(), words.end()};
}

/// Abbreviations that never end a sentence.
bool is_title(const std::string& word) {
  static const auto known = words_in(
      "Mr Mrs Ms Mx Dr Prof St Ste Mt Ft Rev Hon Gen Col Maj Capt Cpt Lt Sgt Cmdr Gov Sen "
      "Rep Pres Messrs Hr Hrn Fr Frl Dipl Ing Mag Mme Mmes Mlle Mlles MM Mgr Sr Sra Srta "
      "Sres Dra Dña Lic Gral Avda Sig Dott Avv Egr Spett Geom vs cf vgl bzw ggf evtl inkl "
      "exkl zzgl bspw sog resp approx aprox ca esp Univ med jur phil rer habil Fam Tel Tél "
      "tél geb verh tägl Pck Mio Mrd EE env av им ул проф млн млрд тыс");
  return known.count(word) > 0;
}

/// Abbreviations that do not end a sentence if a number follows.
bool takes_number(const std::string& word) {
  static const auto known = words_in(
      "No Nos no Nr Art art Abs Fig Figs fig Abb Tab Eq Sec Ch Vol vol Bd Kap pp p S Jan "
      "Feb Mar Apr Jun Jul Aug Sep Sept Oct Okt Nov Dec Dez Apt janv févr avr juil oct nov "
      "déc núm pág págs pag pagg стр гл п");
  return known.count(word) > 0;
}

/// Abbreviations that do not end a sentence if lower case follows.
bool takes_lower_case(const std::string& word) {
  static const auto known = words_in(
      "etc usw Inc Ltd Co Corp Jr Bros al ff Std Min Sek Chr Jh Jhd Jhdt Stk tbsp tsp oz lb "
      "lbs Ave Blvd Rd Hwy Sq Dept dept Assn Bldg min hrs ex ecc Ud Uds Vd Vds UU Cía gest "
      "ej Govt Cos mil bil Ariz Calif Colo Conn Fla Minn Okla Tenn Wis др пр");
  return known.count(word) > 0;
}

/// Abbreviations that do not end a sentence if a number or lower case follows.
bool takes_either(const std::string& word) {
  static const auto known = words_in("Mo Di Mi Do Sa So Abt Str str mind max");
  return known.count(word) > 0;
}

/// "II" and "XIV", which like digits may be ordinal numbers, unlike the pronoun "I".
bool is_roman_number(CodeSet word) {
  return word.size() > 1 && word.find_first_not_of(U"IVX") == CodeSet::npos;
}

/// German words before a date, without which "1.3." may be a number at the end of a sentence.
constexpr CodeSet kDateWords = U" am Am vom Vom zum Zum bis Bis ab Ab seit Seit der den dem und ";

/// A German date such as "3.5", unlike "36.5" and "3.50".
bool is_date(CodeSet word) {
  const size_t stop = word.find(U'.');
  if (stop == CodeSet::npos || stop > 2 || word.size() - stop > 3) return false;
  const auto value = [](CodeSet digits) {
    int number = 0;
    for (const char32_t code : digits) {
      number = is_ascii_digit(code) ? 10 * number + digit_value(code) : 100;
    }
    return number;
  };
  const int day = value(word.substr(0, stop));
  const int month = value(word.substr(stop + 1));
  return day >= 1 && day <= 31 && month >= 1 && month <= 12;
}

size_t line_end(const std::u32string& text, size_t begin, CodeSet ends = U"\n\r\u2028\u2029") {
  return std::min(text.find_first_of(ends, begin), text.size());
}

/// Whether more than half of the letters are Greek: its question mark is a semicolon.
bool is_greek(CodeSet text) {
  const auto is_greek_letter = [](char32_t code) { return script_of(code) == Script::kGreek; };
  const auto greek = std::count_if(text.begin(), text.end(), is_greek_letter);
  return greek > 0 && 2 * greek > std::count_if(text.begin(), text.end(), is_letter);
}

class LineSplitter {
 public:
  LineSplitter(const std::u32string& text, const SentenceHints& hints)
      : text_(text), hints_(hints) {}

  /// The end of the sentence that begins at `begin`: after its final mark, or at the end of the
  /// line or of a tab-separated cell.
  size_t sentence_end(size_t begin) {
    if (begin >= line_end_) enter_line(begin);
    if (is_separator(begin)) return begin + 1;
    size_t open_brackets = 0;
    size_t words = 1;
    for (size_t at = begin; at < line_end_;) {
      const char32_t code = text_[at];
      if (is_space(code) && !is_space(text_[at - 1])) {
        const size_t next = next_text(at);
        const bool begins_item =
            is_separator(next) || is_check_box(next) || is_next_item(begin, next);
        if (open_brackets == 0 && begins_item) return at;
        if (++words > 2 && begins_unmarked(begin, at)) return at;
      }
      if (at > begin && is_matched(at) && is_one_of(code, kOpeningBrackets)) ++open_brackets;
      if (open_brackets > 0 && closes_bracket(at)) --open_brackets;
      if (!is_mark(at)) {
        ++at;
        continue;
      }
      const size_t mark = at;
      for (size_t end = at + 1; end > at; end = end_of_appended(at)) {
        if (open_brackets > 0 && closes_bracket(at)) --open_brackets;
        at = end;
      }
      if (open_brackets == 0 && ends_sentence(begin, mark, at)) return at;
    }
    return line_end_;
  }

 private:
  void enter_line(size_t begin) {
    line_end_ = line_end(text_, begin, U"\t\n\r\u2028\u2029");
    const auto line = std::u32string_view(text_).substr(begin, line_end_ - begin);
    match_brackets(begin, line);
    is_greek_ = is_greek(line);
    constexpr CodeSet kQuotes = U"\"“”„‟«»‹›「」『』";
    first_quote_ = std::min(line.find_first_of(kQuotes), line.size()) + begin;
    last_quote_ = first_quote_ == line_end_ ? 0 : line.find_last_of(kQuotes) + begin;
    has_guillemets_ = line.find_first_of(U"«‹") != CodeSet::npos;
    has_starters_ =
        !hints_.starters.empty() && letter_case_of(to_utf8(line)) == LetterCase::kOrdinary;
  }

  /// Finds the brackets of the line that belong together; those of smileys such as ":(" do not.
  void match_brackets(size_t begin, CodeSet line) {
    line_begin_ = begin;
    matched_.clear();
    if (line.find_first_of(kClosingBrackets) == CodeSet::npos) return;
    matched_.resize(line.size());
    std::vector<size_t> open;
    for (size_t at = 0; at < line.size(); ++at) {
      const size_t nose = at > 1 && line[at - 1] == U'-' ? 1 : 0;
      if (at > nose && is_one_of(line[at - 1 - nose], U":;")) continue;
      if (is_one_of(line[at], kOpeningBrackets)) {
        open.push_back(at);
      } else if (!open.empty() && is_one_of(line[at], kClosingBrackets)) {
        matched_[at] = matched_[open.back()] = true;
        open.pop_back();
      }
    }
  }

  bool is_matched(size_t at) const { return !matched_.empty() && matched_[at - line_begin_]; }

  bool closes_bracket(size_t at) const {
    return is_matched(at) && is_one_of(text_[at], kClosingBrackets);
  }

  /// Whether a separator stands alone at `at`, as in "Home | News", and is neither a list mark at
  /// the beginning of the line, a quotation mark nor a product.
  bool is_separator(size_t at) const {
    if (at >= line_end_) return false;
    const bool is_known = is_one_of(text_[at], kSeparators);
    if (!is_known && !is_one_of(text_[at], hints_.separators)) return false;
    if (at + 1 < line_end_ && !is_space(text_[at + 1])) return false;
    if (joins_operands(at)) return false;
    if (!is_known) return joins_texts(at);
    if (at == line_begin_ || text_[at] == U'|') return text_[at] == U'|';
    if (text_[at] == U'>') return joins_menus(at);
    if (is_one_of(text_[at], U"›»")) return !has_guillemets_ && !lower_case_follows(at + 1);
    return true;
  }

  /// Whether a symbol that the model does not know is at `at` between two texts, neither in a range
  /// ("10 % / 20 %") nor within quotation marks.
  bool joins_texts(size_t at) const {
    const size_t next = next_text(at + 1);
    if (at == line_begin_ || next == line_end_) return false;
    if (first_quote_ < at && at < last_quote_) return false;
    if (!is_number(text_[next])) return true;
    size_t begin = at;  // of the two words before it: a unit may follow the number
    for (int words = 0; words < 2; ++words) {
      while (begin > line_begin_ && is_space(text_[begin - 1])) --begin;
      while (begin > line_begin_ && !is_space(text_[begin - 1])) --begin;
    }
    const auto before = CodeSet(text_).substr(begin, at - begin);
    return std::none_of(before.begin(), before.end(), is_number);
  }

  /// Whether the ">" at `at` separates menu items, as in "File > Open". It may also compare two
  /// values, or mark a quoted line.
  bool joins_menus(size_t at) const {
    const size_t next = next_text(at + 1);
    return at > line_begin_ + 1 && is_letter(text_[at - 2]) && next < line_end_ &&
           is_letter(text_[next]) && !is_lower(text_[next]);
  }

  /// Whether a box to tick stands alone at `at`, which begins an item, as in "☐ Yes  ☐ No", and is
  /// no blank or word in a sentence.
  bool is_check_box(size_t at) const {
    if (!begins_with_box(at)) return false;
    const bool follows_gap = at > line_begin_ + 1 && is_space(text_[at - 2]);
    return follows_gap || begins_with_box(next_text(line_begin_));
  }

  /// Whether a box such as "☐", "[ ]" or "(x)" and a space begin at `at`.
  bool begins_with_box(size_t at) const {
    size_t end = at;
    if (at < line_end_ && is_one_of(text_[at], U"☐☑☒□○◯❏❐❑❒◻")) end = at + 1;
    for (const CodeSet box : {U"[ ]", U"[x]", U"[X]", U"( )", U"(x)", U"(X)"}) {
      if (text_.compare(at, box.size(), box) == 0) end = at + box.size();
    }
    return end > at && end < line_end_ && is_space(text_[end]);
  }

  /// Whether the next item of a list in one line begins at `next`, as in "a) Yes b) No" and "① Yes
  /// ② No", where the one from `begin` on has the number or letter before it.
  bool is_next_item(size_t begin, size_t next) const {
    const auto first = item_label(begin);
    return first && item_label(next) == std::pair{first->first, first->second + 1};
  }

  /// The opening bracket, or 0, and the number or letter of an item's mark; nothing if there is
  /// none.
  std::optional<std::pair<char32_t, int>> item_label(size_t at) const {
    const auto code = [&](size_t place) { return place < line_end_ ? text_[place] : U'\0'; };
    const char32_t bracket = code(at) == U'(' ? U'(' : U'\0';
    if (bracket != U'\0') ++at;
    int label = static_cast<int>(code(at));
    size_t end = at + 1;
    if (is_ascii_digit(code(at))) {
      label = digit_value(code(at));
      if (is_ascii_digit(code(end))) label = 10 * label + digit_value(code(end++));
    }
    const bool is_circled = code(at) >= U'①' && code(at) <= U'⑳';
    const bool is_label = is_ascii_digit(code(at)) || (code(at) < 0x80 && has_case(code(at)));
    if (!is_circled && !(is_label && code(end++) == U')')) return {};
    return end < line_end_ && is_space(text_[end]) ? std::optional(std::pair{bracket, label})
                                                   : std::nullopt;
  }

  /// Whether it stands in a formula: between single letters or such and a number, or "·" or a
  /// symbol that the model does not know between numbers.
  bool joins_operands(size_t at) const {
    const size_t next = next_text(at + 1);
    if (at < line_begin_ + 2 || next == line_end_) return false;
    const bool number_before = is_number(text_[at - 2]);
    const bool number_after = is_number(text_[next]);
    const bool letter_before =
        has_case(text_[at - 2]) && (at == line_begin_ + 2 || !is_letter(text_[at - 3]));
    const bool letter_after =
        has_case(text_[next]) && (next + 1 == line_end_ || !is_letter(text_[next + 1]));
    const bool numbers = number_before && number_after;
    return (letter_before || number_before) && (letter_after || number_after) &&
           (!numbers || text_[at] == U'·' || !is_one_of(text_[at], kSeparators));
  }

  bool is_mark(size_t at) const {
    return is_sentence_mark(text_[at]) || (is_greek_ && text_[at] == U';');
  }

  /// The end of what belongs to the sentence directly after a mark: another mark, a closing quote
  /// or bracket, an emoji, a footnote such as [2] or *, a dash. `at` if there is nothing.
  size_t end_of_appended(size_t at) const {
    if (at >= line_end_) return at;
    if (is_mark(at) || is_invisible(text_[at])) return at + 1;
    if (is_space(text_[at])) return closes_spaced_quote(at) ? next_text(at) + 1 : at;
    if (is_one_of(text_[at], kEitherQuotes)) {
      const size_t end = after_any(kEitherQuotes, at);
      const char32_t next = text_[end];
      const bool opens = is_alphanumeric(next) || is_one_of(next, U"…—《（「『");
      return opens ? at : end;
    }
    if (is_one_of(text_[at], kClosing)) return at + 1;
    const size_t note = std::max(note_mark_end(text_, at), after_any(U"_~～", at));
    if (note == at) return emoji_end(text_, at);
    return text_[at] == U'[' || is_appended_note(at, note) ? note : at;
  }

  /// Whether the spaces from `at` on precede a guillemet that closes a French quotation, « Non ! »,
  /// rather than open a German one, »Nein!« »Doch!«.
  bool closes_spaced_quote(size_t at) const {
    const size_t quote = has_guillemets_ ? next_text(at) : line_end_;
    if (quote >= line_end_ || !is_one_of(text_[quote], U"»›")) return false;
    const size_t open = text_.find_last_of(U"«»‹›", at);
    return open >= line_begin_ && open < at && is_one_of(text_[open], U"«‹") &&
           (open == line_begin_ || is_space(text_[open - 1]));
  }

  /// Whether the note mark or dash belongs to the sentence before it, unlike "。*" before text
  /// without spaces, the wildcards "*.*" and "/.*", "<!--" and the price "5.–".
  bool is_appended_note(size_t at, size_t end) const {
    const bool ends_word = end >= line_end_ || is_space(text_[end]);
    if (!ends_word && !is_one_of(text_[end], U"\"'’”)][")) return false;
    if (!is_mark(at - 1)) return true;
    const char32_t before = at > 1 ? text_[at - 2] : U' ';
    const bool is_price = is_number(before) && is_one_of(text_[at], U"—–-");
    return !is_space(before) && !is_one_of(before, U"*/<") && !is_price;
  }

  /// The place after all of these from `at` on.
  size_t after_any(CodeSet codes, size_t at) const {
    return std::min(text_.find_first_not_of(codes, at), text_.size());
  }

  /// Whether the sentence from `begin` ends at `end`, after the mark at `mark` and what is appended
  /// to it.
  bool ends_sentence(size_t begin, size_t mark, size_t end) const {
    if (end == line_end_) return true;
    const char32_t next = text_[end];
    size_t appended = mark + 1;
    while (appended < end && is_invisible(text_[appended])) ++appended;
    size_t last = end - 1;
    while (last > mark && is_invisible(text_[last])) --last;
    const bool closed = is_closing(text_[last]);
    if (is_wide_sentence_mark(text_[mark])) {
      const bool in_number = mark > begin && is_number(text_[mark - 1]) && is_number(next);
      // A sentence continues after a quotation with these, as in "…。」と言った".
      return !in_number && !(closed && is_one_of(next, U"とっ、，,"));
    }
    const bool stop = text_[mark] == U'.' && (appended == end || is_closing(text_[appended]) ||
                                              is_one_of(text_[appended], U"[("));
    if (!is_space(next)) return begins_unspaced(begin, mark, end);
    if (stop && is_abbreviated(begin, mark, end)) return false;
    if (is_gap(begin, mark, end)) return false;
    // As in: "Why?" he asked. Or after an ellipsis in mid-sentence.
    const bool ellipsis = text_[mark] == U'…' || text_.compare(mark, 3, U"...") == 0;
    return !((closed || ellipsis) && lower_case_follows(end));
  }

  /// Whether a sentence begins directly at `end`, after the mark at `mark`: "Ja!Nein", unlike URLs,
  /// file names, "Node.js" and the Korean list "한.미".
  bool begins_unspaced(size_t begin, size_t mark, size_t end) const {
    const char32_t first = text_[after_any(U"“‘「『《", end)];
    if (text_[mark] != U'.' && is_written_without_spaces(first)) return true;
    size_t word = mark;
    while (word > begin && continues_word(text_[word - 1])) --word;
    const size_t length = mark - word;
    if (length == 0 || (word > begin && is_one_of(text_[word - 1], U"./:@=&#%\\_?!"))) return false;
    if (ends_url(begin, mark)) return false;
    const char32_t last = text_[end - 1];
    if (script_of(text_[mark - 1]) == Script::kHangul) {
      const bool ends_predicate = is_one_of(text_[mark - 1], U"다요죠까네예응오음함임됨");
      return script_of(text_[end]) == Script::kHangul && !is_closing(last) &&
             (last != U'.' || ends_predicate);
    }
    if (is_one_of(last, U".…")) return length > 2 && is_lower(text_[mark - 1]) && is_starter(end);
    // Not "Tabelle1!A1".
    if (length < 2 || is_number(text_[mark - 1]) || !is_one_of(last, U"!?‼⁇⁈⁉؟")) return false;
    // In lower case, "?" may be a damaged letter as in "sch?n", and a single letter an ending as in
    // "Yahoo!s".
    const size_t first_letter = after_any(U"¿¡", end);
    return is_letter(text_[first_letter]) &&
           (!is_lower(text_[first_letter]) || (last == U'!' && is_letter(text_[first_letter + 1])));
  }

  /// Whether the dots are a blank to fill in, as in "durch ..... Gras" (text/protected_spans.h).
  /// Without case it cannot be told from an ellipsis between two sentences.
  bool is_gap(size_t begin, size_t mark, size_t end) const {
    const size_t least = text_[mark] == U'.' ? 4 : 2;
    const bool is_run = end - mark >= least && after_any({&text_[mark], 1}, mark) == end &&
                        is_one_of(text_[mark], U".…");
    const size_t next = next_text(end);
    return is_run && mark > begin && is_space(text_[mark - 1]) && next < line_end_ &&
           has_case(text_[next]) && !is_starter(next);
  }

  static bool continues_word(char32_t code) {
    return is_letter(code) || is_combining(code) || is_number(code) || is_one_of(code, U"'’-");
  }

  static bool is_closing(char32_t code) {
    return is_one_of(code, kClosing) || is_one_of(code, kNoteMarks) ||
           is_one_of(code, kDashesAndTildes);
  }

  bool lower_case_follows(size_t end) const {
    const size_t next = next_text(end);
    // Georgian letters count as lower case but have no capitals.
    return next < line_end_ && is_lower(text_[next]) && script_of(text_[next]) != Script::kGeorgian;
  }

  /// "Mr.", "e.g.", "U.S.", "J.", "12.": a full stop after these does not end a sentence.
  bool is_abbreviated(size_t begin, size_t mark, size_t end) const {
    size_t first = mark;
    while (first > begin && !is_space(text_[first - 1]) && !joins_abbreviations(first - 1)) --first;
    while (first < mark && !is_letter(text_[first]) && !is_number(text_[first])) ++first;
    const auto word = text_.substr(first, mark - first);
    if (word.empty()) return false;
    const size_t next = next_text(end);
    const bool number_follows = next < line_end_ && is_ascii_digit(text_[next]);
    // "1." and "IV." at the beginning of a sentence number a list item.
    const bool is_item = begins_sentence(begin, first);
    const bool starter_follows = !is_item && is_starter(next);
    if (std::all_of(word.begin(), word.end(), is_ascii_digit)) {
      return word.size() <= 3 && !starter_follows;
    }
    if (word.size() == 1) {
      const bool is_initial = word != U"I" && has_case(word[0]);
      return is_initial || (begin == next_text(line_begin_) && is_list_mark(begin, mark));
    }
    const bool lower_follows = lower_case_follows(end);
    const bool dated = is_date(word);
    if (is_roman_number(word) || dated) {
      const bool may_continue = !dated || word_precedes(begin, first, kDateWords);
      return is_item || lower_follows || (may_continue && has_starters_ && !starter_follows);
    }
    if (word.find(U'.') != std::u32string::npos) {
      const bool is_pattern = text_[mark + 1] == U'*';  // such as "2.0.*"
      return is_pattern || (has_short_parts(word) && (lower_follows || !is_time(word)));
    }
    auto text = to_utf8(word);
    if (text.size() > 3 && text.compare(text.size() - 3, 3, "str") == 0) text = "str";  // Hauptstr.
    return (is_title(text) && !starter_follows) || (number_follows && takes_number(text)) ||
           (lower_follows && takes_lower_case(text)) ||
           ((number_follows || lower_follows) && takes_either(text));
  }

  /// Whether the mark at `at` joins two abbreviations or ordinal numbers, as in "Dr.-Ing." and
  /// "3./4."; only the last one is examined.
  bool joins_abbreviations(size_t at) const {
    return at > 0 && is_one_of(text_[at], U"-–/") && text_[at - 1] == U'.';
  }

  /// Whether one of the words, each between spaces, stands directly before `at`.
  bool word_precedes(size_t begin, size_t at, CodeSet words) const {
    while (at > begin && is_space(text_[at - 1])) --at;
    size_t first = at;
    while (first > begin && !is_space(text_[first - 1])) --first;
    const auto word = U" " + text_.substr(first, at - first) + U" ";
    return words.find(word) != CodeSet::npos;
  }

  /// Whether there is no letter or number between `begin` and `at`, only marks of a list item.
  bool begins_sentence(size_t begin, size_t at) const {
    while (at > begin && !is_letter(text_[at - 1]) && !is_number(text_[at - 1])) --at;
    return at == begin;
  }

  /// Whether the sentence begins with a list mark that ends with the mark at `mark`.
  bool is_list_mark(size_t begin, size_t mark) const {
    constexpr size_t kNear = 16;
    const auto line = CodeSet(text_).substr(begin, mark + 1 - begin + kNear);
    return list_mark_length(to_utf8(std::u32string(line))) >=
           to_utf8(text_.substr(begin, mark + 1 - begin)).size();
  }

  /// "e.g", "U.S", "Ph.D", unlike "example.org" and "3.50".
  static bool has_short_parts(const std::u32string& word) {
    size_t part = 0;
    for (const char32_t code : word) {
      part = code == U'.' ? 0 : part + 1;
      if (part > 2 || is_ascii_digit(code)) return false;
    }
    return true;
  }

  /// Unlike other abbreviations, "p.m." often ends a sentence.
  static bool is_time(const std::u32string& word) {
    return word == U"a.m" || word == U"p.m" || word == U"A.M" || word == U"P.M";
  }

  /// Whether a starter follows the white space at `at`, and text without a mark precedes it. Emoji
  /// between them belong to that text.
  bool begins_unmarked(size_t begin, size_t at) const {
    if (!has_starters_) return false;
    size_t first = next_text(at);  // after a dash or similar mark, which then begins a list item
    if (is_one_of(text_[first], U"—–-*→") && is_space(text_[first + 1])) {
      first = next_text(first + 1);
    }
    if (!is_starter(first)) return false;
    while (at > begin && is_ornament(text_[at - 1])) --at;
    if (at == begin) return false;
    const char32_t before = text_[at - 1];
    return is_alphanumeric(before) || is_one_of(before, kClosing) || ends_url(begin, at);
  }

  /// Whether text with a known sentence starter as its first, but not only, word begins at `first`.
  bool is_starter(size_t first) const {
    if (!has_starters_) return false;
    size_t last = first;
    while (last < line_end_ && !is_space(text_[last])) ++last;
    const bool ends_text = next_text(last) == line_end_;
    while (last > first && is_one_of(text_[last - 1], U",;:")) --last;
    return !ends_text && hints_.starters.count(to_utf8(text_.substr(first, last - first))) > 0;
  }

  /// White space, invisible marks, emoji and similar pictures.
  static bool is_ornament(char32_t code) {
    return is_space(code) || is_invisible(code) || is_combining(code) ||
           (code >= 0x2300 && is_symbol(code));
  }

  bool ends_url(size_t begin, size_t at) const {
    size_t first = at;
    while (first > begin && !is_space(text_[first - 1])) --first;
    const auto word = CodeSet(text_).substr(first, at - first);
    return word.find(U"://") != CodeSet::npos || word.find(U"www.") != CodeSet::npos;
  }

  /// The next character in this line that is not white space, or the end of the line.
  size_t next_text(size_t at) const {
    while (at < line_end_ && is_space(text_[at])) ++at;
    return at;
  }

  const std::u32string& text_;
  const SentenceHints& hints_;
  size_t line_end_ = 0;
  size_t line_begin_ = 0;
  std::vector<bool> matched_;  // brackets of the line; empty if none are closed
  bool is_greek_ = false;      // the line
  size_t first_quote_ = 0;     // of the line; from its end on: there is none
  size_t last_quote_ = 0;
  bool has_guillemets_ = false;
  bool has_starters_ = false;  // in capitals, any word may look like one
};

/// Splits the text; end_of(begin) returns the end of the sentence that begins there.
template <typename EndOf>
TextPieces split_where(const std::u32string& codes, const EndOf& end_of) {
  TextPieces pieces{{}, {""}};
  for (size_t at = 0; at < codes.size();) {
    size_t end = at;
    while (end < codes.size() && is_space(codes[end])) ++end;
    pieces.between.back() += to_utf8(codes.substr(at, end - at));
    if ((at = end) == codes.size()) break;
    end = end_of(at);
    while (is_space(codes[end - 1])) --end;
    pieces.sentences.push_back(to_utf8(codes.substr(at, end - at)));
    pieces.between.emplace_back();
    at = end;
  }
  return pieces;
}

}  // namespace

TextPieces split_text(std::string_view text, const SentenceHints& hints) {
  const auto codes = to_code_points(text);
  LineSplitter splitter(codes, hints);
  return split_where(codes, [&](size_t begin) { return splitter.sentence_end(begin); });
}

TextPieces split_lines(std::string_view text) {
  const auto codes = to_code_points(text);
  return split_where(codes, [&](size_t begin) { return line_end(codes, begin); });
}

TextPieces whole_text(std::string_view text) {
  const auto codes = to_code_points(text);
  const auto is_text = [](char32_t code) { return !is_space(code); };
  const auto first = std::find_if(codes.begin(), codes.end(), is_text);
  if (first == codes.end()) return {{}, {std::string(text)}};
  const auto last = std::find_if(codes.rbegin(), codes.rend(), is_text).base();
  return {
      {to_utf8(std::u32string(first, last))},
      {to_utf8(std::u32string(codes.begin(), first)), to_utf8(std::u32string(last, codes.end()))}};
}

std::string joint(const std::string& translation, const std::string& between) {
  if (!between.empty() || translation.empty()) return between;
  const std::string_view all = translation;
  const auto codes = to_code_points(all.substr(all.size() - std::min<size_t>(64, all.size())));
  // Skips closing quotes and ellipses, which many scripts share.
  const auto last = std::find_if(codes.rbegin(), codes.rend(), [](char32_t code) {
    return !is_one_of(code, kClosing) && code != U'…';
  });
  const bool joins =
      last != codes.rend() && (is_wide_sentence_mark(*last) || is_written_without_spaces(*last) ||
                               is_one_of(*last, U"、，：；～〜・"));
  return joins ? "" : " ";
}

std::string join_text(const TextPieces& pieces, const std::vector<std::string>& translations) {
  std::string text = pieces.between.front();
  for (size_t i = 0; i < translations.size(); ++i) {
    const bool last = i + 1 == translations.size();
    text += translations[i];
    text += last ? pieces.between[i + 1] : joint(translations[i], pieces.between[i + 1]);
  }
  return text;
}

}  // namespace nmt
