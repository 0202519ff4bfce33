#include "text/protected_spans.h"

#include <utf8proc.h>

#include <algorithm>

#include "text/sentence_marks.h"
#include "unicode/code_points.h"
#include "unicode/letter_case.h"
#include "unicode/scripts.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

using Codes = std::u32string_view;

bool is_ascii_alphanumeric(char32_t code) {
  return is_ascii_digit(code) || (code >= U'a' && code <= U'z') || (code >= U'A' && code <= U'Z');
}

/// Unicode's Extended_Pictographic without © and other marks of ordinary text, and flags.
bool is_pictograph(char32_t code) {
  if (code < 0x2300) return false;
  const auto bound = utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->boundclass;
  return bound == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC ||
         bound == UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR;
}

/// Whether the character continues an emoji: joiner, variation selector, skin tone, keycap, tag
/// character (as in regional flags) or another pictograph.
bool continues_emoji(char32_t code) {
  return code == 0x200D || code == 0xFE0E || code == 0xFE0F ||
         (code >= 0x1F3FB && code <= 0x1F3FF) || code == 0x20E3 ||
         (code >= 0xE0020 && code <= 0xE007F) || is_pictograph(code);
}

/// The end of the keycap, such as 2️⃣, that begins at `at`, or `at`.
size_t keycap_end(Codes text, size_t at) {
  const auto code = [&](size_t place) { return place < text.size() ? text[place] : U'\0'; };
  if (!is_ascii_digit(code(at)) && !is_one_of(code(at), U"#*")) return at;
  const size_t keycap = code(at + 1) == 0xFE0F ? at + 2 : at + 1;
  return code(keycap) == 0x20E3 ? keycap + 1 : at;
}

bool is_currency(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code)) == UTF8PROC_CATEGORY_SC;
}

constexpr size_t kMaxNumber = 40;                      // characters
constexpr Codes kDashesInNumbers = U"-‐‑‒–—−~∼〜～×";  // as in 27–38

/// Whether it is a decimal digit of any script, such as 7, ７ or ٧.
bool is_digit(char32_t code) { return is_ascii_digit(code) || digit_value(code) >= 0; }

/// Whether these letters after a number are a unit, as in 42kg.
bool is_unit(Codes letters) {
  static constexpr Codes kUnits[] = {
      U"km",  U"m",   U"dm",  U"cm",  U"mm",  U"µm",  U"μm",  U"nm",  U"KM",  U"CM",  U"MM",
      U"mi",  U"ft",  U"yd",  U"kg",  U"g",   U"mg",  U"µg",  U"μg",  U"t",   U"KG",  U"lb",
      U"lbs", U"oz",  U"l",   U"L",   U"dl",  U"cl",  U"ml",  U"mL",  U"h",   U"min", U"sec",
      U"ms",  U"W",   U"kW",  U"MW",  U"GW",  U"Wh",  U"kWh", U"MWh", U"V",   U"kV",  U"mAh",
      U"Hz",  U"kHz", U"MHz", U"GHz", U"bar", U"hPa", U"kPa", U"kJ",  U"Nm",  U"dB",  U"KB",
      U"kB",  U"MB",  U"GB",  U"TB",  U"px",  U"pt",  U"dpi", U"mph", U"kmh", U"EUR", U"USD",
      U"GBP", U"CHF", U"км",  U"м",   U"см",  U"мм",  U"кг",  U"г",   U"мг",  U"л",   U"мл",
      U"ч",   U"мин", U"кВт", U"ГБ",  U"МБ",  U"ГГц", U"МГц"};
  return std::find(std::begin(kUnits), std::end(kUnits), letters) != std::end(kUnits);
}

// With the Korean letters that look like a circle, a square and a dot.
constexpr Codes kListMarks = U"-–—»›•‣⁃∙·・‧∘⊙⦁▫✓✔☐☑☒※#>ㅇㅁㆍ";

bool is_list_mark(char32_t code) {
  const auto within = [&](char32_t first, char32_t last) { return first <= code && code <= last; };
  // Such as ①, ⑴, ⓐ, ❶ and ㉠; ◎, ▲ and ☆; → and ⇒.
  const bool is_enclosed = within(0x2460, 0x24FF) || within(0x2776, 0x2793) ||
                           within(0x3200, 0x321E) || within(0x3251, 0x327F) ||
                           within(0x32B1, 0x32BF);
  const bool is_shape = (within(0x25A0, 0x27BF) || within(0x2B00, 0x2BFF)) && !is_pictograph(code);
  const bool is_arrow = within(0x2190, 0x21FF) || within(0x27F0, 0x27FF) || within(0x2900, 0x297F);
  return is_enclosed || is_shape || is_arrow || is_one_of(code, kListMarks) ||
         is_one_of(code, kNoteMarks);
}

/// The syllables that number the items of a Korean list.
constexpr Codes kSyllables = U"가나다라마바사아자차카타파하";
constexpr Codes kLettersBeforeStop = U"가나다라마바사ABCDEFabcdef";  // not "아.", "자." and "J."

/// Whether a number with a full stop follows the white space, as in " 3. Platz".
bool begins_with_ordinal(Codes text) {
  const size_t first = std::min(text.find_first_not_of(U' '), text.size());
  size_t last = first;
  while (last < text.size() && is_ascii_digit(text[last])) ++last;
  return last > first && last < text.size() && text[last] == U'.';
}

/// Whether the word after a number with a full stop shows that it is a list mark. Before a script
/// with case it may also be an ordinal number, as in "1. Mai" and "2. und 3. Platz": not if the
/// word begins sentences, "Ein" as well as "ein".
bool follows_list_number(Codes text, const BeginsSentence& begins_sentence) {
  size_t first = 0;
  while (first < text.size() && is_whitespace(text[first])) ++first;
  if (first == text.size() || !is_letter(text[first])) return false;
  if (!has_case(text[first])) return true;
  size_t last = first;
  while (last < text.size() && is_letter(text[last])) ++last;
  if (is_lower(text[first]) && begins_with_ordinal(text.substr(last))) return false;
  return begins_sentence &&
         begins_sentence(to_capitalized(to_utf8(text.substr(first, last - first))));
}

/// The end of the ellipsis that begins at `at`, or `at`.
size_t ellipsis_end(Codes text, size_t at) {
  const size_t end = std::min(text.find_first_not_of(U".…", at), text.size());
  return end > at + 1 || (end > at && text[at] == U'…') ? end : at;
}

/// The end of a section's number such as 2.1, 2.1.3, 2.1. and 2.1) before a word in capitals that
/// begins a sentence, unlike "2.5 Millionen"; `at` if there is none.
size_t section_number_end(Codes text, size_t at, const BeginsSentence& begins_sentence) {
  const auto code = [&](size_t place) { return place < text.size() ? text[place] : U'\0'; };
  size_t end = at;
  int levels = 0;
  for (;; ++end) {
    const size_t number = end;
    while (is_ascii_digit(code(end)) && end - number < 2) ++end;
    if (end == number || is_ascii_digit(code(end))) break;
    ++levels;
    if (code(end) != U'.') break;
  }
  if (levels < 2 || is_ascii_digit(code(end))) return at;
  const bool is_closed = code(end) == U')' || code(end - 1) == U'.';
  if (code(end) == U')') ++end;
  const auto rest = text.substr(std::min(end, text.size()));
  const size_t word = std::min(rest.find_first_not_of(U' '), rest.size());
  const bool is_caseless = word < rest.size() && is_letter(rest[word]) && !has_case(rest[word]);
  const bool begins = is_caseless ? is_closed || levels > 2
                                  : word < rest.size() && is_upper(rest[word]) &&
                                        follows_list_number(rest, begins_sentence);
  return word > 0 && begins ? end : at;
}

/// The end of a list item's or footnote's number, letter, time or mark, such as 1), (1), iv), a),
/// [1], [12:30], [*], [...] and the box [ ]; `at` if there is none.
size_t item_number_end(Codes text, size_t at, const BeginsSentence& begins_sentence = {}) {
  const auto code = [&](size_t place) { return place < text.size() ? text[place] : U'\0'; };
  if (const size_t end = section_number_end(text, at, begins_sentence); end > at) return end;
  const bool opened = is_one_of(code(at), U"([");
  const size_t first = at + (opened ? 1 : 0);
  size_t end = first;
  while (is_ascii_digit(code(end)) && end - first < 3) ++end;
  const auto continues_time = [&] {
    return code(end) == U':' && is_ascii_digit(code(end + 1)) && is_ascii_digit(code(end + 2));
  };
  while (opened && end > first && continues_time()) end += 3;
  for (const Codes roman : {U"IVX", U"ivx"}) {
    while ((end == first || is_one_of(code(end - 1), roman)) && is_one_of(code(end), roman)) ++end;
  }
  const bool numbered = end > first;
  if (opened && !numbered)
    end = std::max(ellipsis_end(text, first), first + (code(first) == U' ' ? 1 : 0));
  if (!numbered && (has_case(code(end)) || is_one_of(code(end), kSyllables))) ++end;
  if (end > first && !opened && code(end) == U'.') {
    if (numbered && code(end + 1) == U')') return end + 2;
    const auto rest = text.substr(std::min(end + 1, text.size()));
    const bool follows =
        numbered ? follows_list_number(rest, begins_sentence)
                 : is_one_of(code(first), kLettersBeforeStop) && follows_list_number(rest, {});
    return is_whitespace(code(end + 1)) && follows ? end + 1 : at;
  }
  while (opened && end - first < 3 && is_one_of(code(end), U"*†‡")) ++end;
  return end > first && code(end) == (code(at) == U'[' ? U']' : U')') ? end + 1 : at;
}

constexpr size_t kDataLength = 200;  // characters

class SpanFinder {
 public:
  explicit SpanFinder(Codes text) : text_(text) {}

  /// The end of a span that begins at `at` and its kind, or `at`.
  size_t end_at(size_t at, SpanKind& kind) const {
    for (const auto& [found, of_kind] : {std::pair{url_end(at), SpanKind::kUrl},
                                         {email_end(at), SpanKind::kEmail},
                                         {emoji_end(text_, at), SpanKind::kEmoji},
                                         {data_end(at), SpanKind::kUrl},
                                         {blank_end(at), SpanKind::kBlank},
                                         {identifier_end(at), SpanKind::kNumber},
                                         {number_end(at), SpanKind::kNumber},
                                         {tag_end(at), SpanKind::kTag},
                                         {citation_end(at), SpanKind::kTag},
                                         {raised_digits_end(at), SpanKind::kTag}}) {
      kind = of_kind;
      if (found > at) return found;
    }
    return at;
  }

 private:
  char32_t code(size_t at) const { return at < text_.size() ? text_[at] : 0; }
  bool begins_word(size_t at) const {
    return at == 0 || !(has_case(text_[at - 1]) || is_digit(text_[at - 1]));
  }
  /// Whether the mark belongs to a letter before it.
  bool is_letter_mark(size_t at) const {
    return at > 0 && is_combining(code(at)) &&
           (is_letter(text_[at - 1]) || is_combining(text_[at - 1]));
  }

  /// Whether the URL that begins at `begin` includes the non-ASCII letter or mark at `at`. A Korean
  /// particle or Chinese text may follow a URL directly, so letters without case belong to it only
  /// in places where no such text can follow, as in "/wiki/서울" and "?q=서울".
  bool continues_url(size_t begin, size_t at) const {
    if (has_case(code(at)) || is_letter_mark(at)) return true;
    if (!is_letter(code(at)) || at == begin) return false;
    const auto leads_on = [&](char32_t before) {
      return (is_letter(before) && !has_case(before)) || is_combining(before) || before == U'_';
    };
    const char32_t before = text_[at - 1];
    return leads_on(before) || before == U'=' ||
           (is_one_of(before, U"(:-/#") && leads_on(text_[at - 2])) ||
           (at > 6 && text_.substr(at - 6, 6) == U"/wiki/");
  }

  /// Whether there is "www." or, as keyboards of phones begin a sentence, "Www.".
  bool leads_to_web(size_t at) const {
    const auto is_w = [&](size_t i) { return code(i) == U'w' || code(i) == U'W'; };
    return is_w(at) && is_w(at + 1) && is_w(at + 2) && code(at + 3) == U'.';
  }

  /// The end of a host without a scheme, such as example.org or, only before a path, bit.ly; `at`
  /// if there is none, as in "Ende.Der".
  size_t host_end(size_t at) const {
    static constexpr Codes kDomains[] = {U"com", U"org", U"net", U"edu", U"gov", U"info"};
    static constexpr Codes kShortDomains[] = {U"at", U"be", U"ch", U"cn", U"co", U"de", U"eu",
                                              U"fr", U"gg", U"gl", U"io", U"it", U"jp", U"kr",
                                              U"ly", U"me", U"nl", U"tv", U"uk", U"us"};
    const auto has = [](const auto& domains, Codes domain) {
      return std::find(std::begin(domains), std::end(domains), domain) != std::end(domains);
    };
    const auto is_host = [](char32_t code) { return is_ascii_alphanumeric(code) || code == U'-'; };
    if (!is_ascii_alphanumeric(code(at))) return at;
    size_t end = at;
    size_t label = at;  // where the last label begins
    while (is_host(code(end)) || (code(end) == U'.' && end > label && is_host(code(end + 1)))) {
      if (code(end++) == U'.') label = end;
    }
    if (label == at || is_one_of(code(end), U"@_")) return at;
    const auto domain = text_.substr(label, end - label);
    const bool has_path = code(end) == U'/' && is_ascii_alphanumeric(code(end + 1));
    return has(kDomains, domain) || (has_path && has(kShortDomains, domain)) ? end : at;
  }

  size_t url_end(size_t at) const {
    if (!begins_word(at)) return at;
    size_t scheme = at;
    while (is_ascii_alphanumeric(code(scheme)) && scheme - at < 10) ++scheme;
    const bool has_scheme = scheme > at && text_.substr(scheme, 3) == U"://";
    const bool is_mail = text_.substr(at, 7) == U"mailto:";
    size_t first = has_scheme ? scheme + 3 : is_mail ? at + 7 : at + 4;
    if (!has_scheme && !is_mail && !leads_to_web(at)) {
      first = at > 0 && is_one_of(text_[at - 1], U"@.-_/") ? at : host_end(at);
      const bool has_port = code(first) == U':' && is_ascii_digit(code(first + 1));
      if (first == at || (code(first) != U'/' && !has_port)) return first;
    }
    size_t end = first;
    const auto is_ascii = [&] { return code(end) > U' ' && code(end) < 0x7F; };
    while (is_ascii() ? !is_one_of(code(end), U"<>\"") : continues_url(first, end)) ++end;
    end = without_marks(first, end);
    return end > first ? end : at;
  }

  /// The end of encoded data; no word is that long.
  size_t data_end(size_t at) const {
    if (!begins_word(at)) return at;
    size_t end = at;
    while (has_case(code(end)) || is_ascii_digit(code(end)) || is_one_of(code(end), U"+/=_-"))
      ++end;
    return end - at < kDataLength ? at : end;
  }

  /// The end of a URL without trailing marks and brackets that belong to the sentence.
  size_t without_marks(size_t begin, size_t end) const {
    const auto count = [&](Codes brackets) {
      return std::count_if(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                           text_.begin() + static_cast<std::ptrdiff_t>(end),
                           [&](char32_t code) { return is_one_of(code, brackets); });
    };
    for (auto unopened = count(U")]") - count(U"(["); end > begin; --end) {
      const char32_t last = text_[end - 1];
      const bool closes = is_one_of(last, U")]");
      if (closes ? unopened <= 0 : !is_one_of(last, U".,;:!?'([")) break;
      if (closes) --unopened;
      if (is_one_of(last, U"([")) ++unopened;
    }
    return end;
  }

  size_t email_end(size_t at) const {
    const auto is_part = [&](size_t place) {
      return is_ascii_digit(code(place)) || has_case(code(place)) || is_letter_mark(place);
    };
    if (!is_part(at) || is_combining(code(at)) || !begins_word(at)) return at;
    size_t sign = at;
    while ((is_part(sign) || is_one_of(code(sign), U"._%+-")) && sign - at < 64) ++sign;
    if (code(sign) != U'@') return at;
    size_t end = sign + 1;
    while (is_part(end) || is_one_of(code(end), U".-")) ++end;
    while (end > sign && is_one_of(text_[end - 1], U".-")) --end;
    return text_.substr(sign, end - sign).find(U'.') != Codes::npos ? end : at;
  }

  size_t blank_end(size_t at) const {
    const char32_t first = code(at);
    if (!is_one_of(first, U"_.…")) return at;
    size_t end = std::min(text_.find_first_not_of(first, at), text_.size());
    const bool has_parts = first == U'_' && is_one_of(code(end), U"./:-") && code(end + 1) == U'_';
    if (has_parts) end = std::min(text_.find_first_not_of(U"_./:-", at), text_.size());
    const auto joins = [](char32_t code) {
      return is_alphanumeric(code) || is_one_of(code, U".…");
    };
    const char32_t before = at > 0 ? text_[at - 1] : U' ';
    const bool joined = joins(before) || is_one_of(before, U"!?~！？～") || joins(code(end));
    const size_t least = first == U'_' ? (joined ? 3 : 2) : joined ? 10 : first == U'.' ? 4 : 2;
    return end - at >= least ? end : at;
  }

  size_t digits_end(size_t at) const {
    while (is_ascii_digit(code(at))) ++at;
    return at;
  }

  /// The end of a number in groups of digits between spaces, such as a telephone or card number,
  /// that begins at `at`; `at` if there is none. It has four groups of two to four digits; three
  /// are enough if it begins with 0 or, also with single digits, follows a plus; after 0, the last
  /// may have up to eight.
  size_t grouped_number_end(size_t at) const {
    const bool has_plus = at > 0 && text_[at - 1] == U'+';
    const size_t least_digits = has_plus ? 1 : 2;
    size_t end = at;
    size_t groups = 0;
    for (size_t begin = at;; begin = end + 1) {
      const size_t last = digits_end(begin);
      const size_t digits = last - begin;
      const bool is_last = code(at) == U'0' && groups > 0 && digits > 4 && digits <= 8;
      const bool is_group = digits >= least_digits && (digits <= 4 || is_last) &&
                            !has_case(code(last)) &&
                            !(is_one_of(code(last), U".,:/-–") && is_digit(code(last + 1)));
      if (!is_group || last - at > kMaxNumber) break;
      if (is_last) return last;
      end = last;
      ++groups;
      if (!is_one_of(code(end), U" \u00A0")) break;
    }
    return groups >= (has_plus || code(at) == U'0' ? 3 : 4) ? end : at;
  }

  /// The end of a price with spaces between its thousands, such as the 44 607,50 of
  /// "44 607,50 €", that begins at `at`; `at` if there is none.
  size_t spaced_thousands_end(size_t at) const {
    const size_t first = digits_end(at);
    if (first - at > 3) return at;
    size_t end = first;
    while (end - at < kMaxNumber && code(end) == U' ' && digits_end(end + 1) == end + 4) end += 4;
    if (end == first) return at;
    if (is_one_of(code(end), U",.") && is_ascii_digit(code(end + 1))) end = digits_end(end + 1);
    const size_t sign = is_whitespace(code(end)) ? end + 1 : end;
    return is_currency(code(sign)) ? end : at;
  }

  /// The end of an identifier such as A4711, INV-2024-0815, DE89 3704 0044 0532 0130 00,
  /// 550e8400-e29b-41d4 and v2.10.1: at least three digits with capitals before or between them, or
  /// eight characters of lower-case hexadecimal digits; `at` if there is none.
  size_t identifier_end(size_t at) const {
    constexpr Codes kJoints = U"-_./:";
    if (!is_ascii_alphanumeric(code(at)) || !begins_word(at)) return at;
    if (at > 0 && is_one_of(text_[at - 1], kJoints)) return at;
    size_t end = at;
    while (is_ascii_alphanumeric(code(end)) ||
           (is_one_of(code(end), kJoints) && is_ascii_alphanumeric(code(end + 1)))) {
      if (++end - at > kDataLength) return at;
    }
    const bool is_joined = has_case(code(end)) || is_digit(code(end)) ||
                           (is_one_of(code(end), kJoints) && is_letter(code(end + 1)));
    if (is_joined) return at;
    const auto all = text_.substr(at, end - at);
    if (is_one_of(all[0], U"vV") && is_ascii_digit(code(at + 1)) && all.find(U'.') != all.npos) {
      return end;
    }
    const auto digits = std::count_if(all.begin(), all.end(), is_ascii_digit);
    const bool has_lower = std::any_of(all.begin(), all.end(), is_lower);
    const bool has_capitals = std::any_of(all.begin(), all.end(), is_upper);
    const auto letter = std::find_if(all.begin(), all.end(), is_letter);
    if (std::none_of(letter, all.end(), is_ascii_digit)) return at;  // as 1990ER
    if (has_lower) {
      const bool is_hash = all.find_first_not_of(U"0123456789abcdef-") == all.npos;
      return is_hash && digits > 2 && all.size() >= 8 ? end : at;
    }
    if (has_capitals && all.size() == 4 && digits == 2 && code(end) == U' ') {  // an IBAN's begin
      const size_t groups = grouped_number_end(end + 1);
      return groups > end + 1 ? groups : at;
    }
    return has_capitals && digits > 2 ? end : at;
  }

  size_t number_end(size_t at) const {
    if (!is_digit(code(at)) || !begins_word(at)) return at;
    const size_t grouped = std::max(grouped_number_end(at), spaced_thousands_end(at));
    if (grouped > at) return grouped;
    size_t end = at;
    size_t part = at;  // where the current part begins: at the start or after /, : or a dash
    const auto divides = [&] {
      return is_one_of(code(end), U":/") || is_one_of(code(end), kDashesInNumbers);
    };
    const auto belongs = [&] {
      return is_digit(code(end)) ||
             ((divides() || is_one_of(code(end), U".,٫٬")) && is_digit(code(end + 1))) ||
             divides_thousands(part, end);
    };
    for (; end - at < kMaxNumber && belongs(); ++end) {
      if (divides()) part = end + 1;
    }
    if (belongs()) return at;
    size_t letters = end;
    while (has_case(code(letters))) ++letters;
    if (letters == end) return end;
    return is_unit(text_.substr(end, letters - end)) && !is_digit(code(letters)) ? end : at;
  }

  /// The end of a citation such as [12], [3, 4] and [5–7], or `at`.
  size_t citation_end(size_t at) const {
    if (code(at) != U'[') return at;
    size_t end = at;
    do {
      const size_t number = code(end + 1) == U' ' && end > at ? end + 2 : end + 1;
      end = digits_end(number);
      if (end == number || end - number > 3) return at;
    } while (is_one_of(code(end), U",;-–"));
    return code(end) == U']' ? end + 1 : at;
  }

  /// The end of the raised digits that follow a word or closing quote, unlike those of x² and m²,
  /// or `at`.
  size_t raised_digits_end(size_t at) const {
    if (!is_superscript_digit(code(at)) || at < 2) return at;
    if (!is_letter(text_[at - 1]) && !is_one_of(text_[at - 1], U"“”»«\")")) return at;
    size_t word = at;
    while (word > 0 && is_letter(text_[word - 1])) --word;
    constexpr size_t kShort = 3;  // as in mc² and sin²
    const bool is_short = at - word <= kShort && is_lower(text_[word]);
    const bool is_formula = at - word < 2 || is_short || is_unit(text_.substr(word, at - word));
    if (has_case(text_[at - 1]) && is_formula) return at;
    size_t end = at;
    while (is_superscript_digit(code(end))) ++end;
    return has_case(code(end)) || is_digit(code(end)) ? at : end;
  }

  size_t tag_end(size_t at) const {
    const char32_t before = at > 0 ? text_[at - 1] : U' ';
    if (!is_one_of(code(at), U"@#") || is_one_of(before, U"&=.@#%_") || is_letter(before) ||
        is_digit(before)) {
      return at;
    }
    // After a name in an alphabet with case, or in a script without spaces, text may follow
    // directly, such as a Korean particle.
    size_t letter = at + 1;
    while (is_digit(code(letter)) || code(letter) == U'_') ++letter;
    const bool cased = letter > at + 1 || has_case(code(letter));
    const auto is_in_name = [&](size_t i) {
      return cased ? has_case(code(i)) : !is_written_without_spaces(code(i));
    };
    const auto is_part = [&](size_t i) {
      if (is_digit(code(i)) || is_combining(code(i))) return true;
      return is_letter(code(i)) && (code(at) == U'#' || is_in_name(i));
    };
    const auto joins = [&](size_t i) {  // as in @a.b, @user@example.org, @angular/core and #a#b
      if (!is_part(i + 1)) return false;
      if (code(i) == U'.') return code(at) == U'@' && !is_upper(code(i + 1));
      return code(at) == U'@' ? is_one_of(code(i), U"-/@") : code(i) == U'#';
    };
    const auto belongs = [&](size_t i) { return is_part(i) || code(i) == U'_' || joins(i); };
    size_t end = at + 1;
    while (belongs(end)) ++end;
    const auto name = text_.substr(at, end - at);
    return std::any_of(name.begin(), name.end(), is_letter) ? end : at;
  }

  /// Whether it is an apostrophe or no-break space between the thousands of a number that begins at
  /// `begin`: with three digits after it, and one to three before it or the same mark before these.
  bool divides_thousands(size_t begin, size_t at) const {
    if (!is_one_of(code(at), U"'’\u00A0\u202F\u2009")) return false;
    const auto digits = [&](size_t first, size_t last) {
      const auto part = text_.substr(std::min(first, text_.size()), last - first);
      return part.size() == last - first && std::all_of(part.begin(), part.end(), is_digit);
    };
    if (!digits(at + 1, at + 4) || is_digit(code(at + 4))) return false;
    if (at - begin <= 3) return digits(begin, at);
    return text_[at - 4] == text_[at] && digits(at - 3, at);
  }

  Codes text_;
};

}  // namespace

bool is_invisible(char32_t code) {
  return (code >= 0x200B && code <= 0x200F) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || (code >= 0xFE0E && code <= 0xFE0F) ||
         is_one_of(code, U"\u034F\u061C\u180E\u2060\uFEFF");
}

std::string without_invisible_ends(std::string_view text) {
  const auto codes = to_code_points(text);
  const auto is_seen = [](char32_t code) {
    const bool is_joined = is_one_of(code, U"\u200C\u200D\uFE0E\uFE0F");
    return !is_whitespace(code) && (is_joined || !is_invisible(code));
  };
  const auto first = std::find_if(codes.begin(), codes.end(), is_seen);
  const auto last = std::find_if(codes.rbegin(), codes.rend(), is_seen).base();
  return first < last ? to_utf8(std::u32string(first, last)) : "";
}

size_t emoji_end(std::u32string_view text, size_t at) {
  size_t end = at < text.size() && is_pictograph(text[at]) ? at + 1 : keycap_end(text, at);
  if (end == at) return at;
  while (end < text.size() && continues_emoji(text[end])) ++end;
  return end;
}

std::vector<ProtectedSpan> find_protected_spans(std::string_view text) {
  std::vector<ProtectedSpan> spans;
  // A quick test: most sentences have no digit, '@', '#' or first byte of a pictograph or of digits
  // in other scripts.
  static constexpr std::string_view kHints[] = {
      "/",     "ww.",     "WW.", ".com", ".org", ".net", ".edu", ".gov",
      ".info", "mailto:", "__",  "....", "¹",    "²",    "³"};
  const bool possible =
      text.size() >= kDataLength ||
      text.find_first_of("0123456789@#\xD9\xDB\xDF\xE0\xE1\xE2\xE3\xEF\xF0") !=
          std::string_view::npos ||
      std::any_of(std::begin(kHints), std::end(kHints),
                  [&](std::string_view hint) { return text.find(hint) != std::string_view::npos; });
  if (!possible) return spans;
  const auto codes = to_code_points(text);
  const SpanFinder finder(codes);
  size_t bytes = 0;
  for (size_t at = 0; at < codes.size();) {
    SpanKind kind = SpanKind::kUrl;
    const size_t end = finder.end_at(at, kind);
    const size_t length = to_utf8(Codes(codes).substr(at, std::max(end, at + 1) - at)).size();
    if (end > at) spans.push_back({kind, bytes, bytes + length});
    bytes += length;
    at = std::max(end, at + 1);
  }
  return spans;
}

bool is_number_placeholder(std::string_view text) {
  const auto is_count = [](std::string_view name) {
    return name == "n" || name == "count" || name == "num" || name == "number" || name == "total";
  };
  if (text.size() < 2) return false;
  if (text.size() > 2 && text.back() == ':') text.remove_suffix(1);
  if (text.size() > 4 && ends_with(text, "%%")) text.remove_suffix(2);  // "%d%%"
  if (text.front() != '%') {
    const auto inner = text.substr(0, text.find_last_not_of("} ") + 1);
    const size_t begin = inner.find_first_not_of("${ ");
    return begin != inner.npos && text.find('{') != text.npos && is_count(inner.substr(begin));
  }
  const size_t open = text.find('(');
  const size_t close = text.find(')');
  if (open != text.npos && close != text.npos && open < close &&
      is_count(text.substr(open + 1, close - open - 1))) {
    return true;
  }
  constexpr std::string_view kConversions = "diun";  // the last is Qt's
  return kConversions.find(text.back()) != kConversions.npos;
}

size_t list_mark_length(std::string_view sentence, const BeginsSentence& begins_sentence) {
  constexpr size_t kLongestMark = 64;  // bytes
  const auto codes = to_code_points(sentence.substr(0, kLongestMark));
  const auto code = [&](size_t at) { return at < codes.size() ? codes[at] : U'\0'; };
  size_t length = 0;
  for (size_t at = 0, end = 0;; at = end) {
    while (is_whitespace(code(at)) || is_invisible(code(at))) ++at;
    end = at;
    while (is_list_mark(code(end))) ++end;
    if (end == at) end = item_number_end(codes, at, begins_sentence);
    const bool may_be_joined = end == at;  // an ellipsis, to the text after it
    if (may_be_joined) end = ellipsis_end(codes, at);
    if (end == at) break;
    if (!is_whitespace(code(end)) && !(may_be_joined && is_letter(code(end)))) break;
    length = to_utf8(Codes(codes).substr(0, end)).size();
  }
  const auto rest = sentence.substr(length);
  const bool has_text = has_letters(rest) || (has_letters(sentence.substr(0, length)) &&
                                              !split_whitespace(rest).empty());
  return has_text ? length : 0;
}

bool is_superscript_digit(char32_t code) { return is_one_of(code, U"⁰¹²³⁴⁵⁶⁷⁸⁹"); }

size_t note_mark_end(std::u32string_view text, size_t at) {
  if (at >= text.size()) return at;
  const auto after = [&](Codes codes) {
    return std::min(text.find_first_not_of(codes, at), text.size());
  };
  if (is_one_of(text[at], U"([")) return item_number_end(text, at);
  const size_t end = std::max(after(kNoteMarks), after(U"—–-"));
  return end == at + 1 && text[at] == U'-' ? at : end;
}

size_t footnotes_begin(std::string_view sentence) {
  constexpr size_t kNear = 64;  // bytes
  if (sentence.empty() || is_one_of(sentence.back(), U".!?")) return sentence.size();
  const auto codes =
      to_code_points(sentence.substr(sentence.size() - std::min(sentence.size(), kNear)));
  const auto mark = std::find_if(codes.rbegin(), codes.rend(), is_sentence_mark).base();
  size_t begin = static_cast<size_t>(mark - codes.begin());
  while (begin > 0 && begin < codes.size() && is_one_of(codes[begin], U"\"'’”“»«›‹)")) ++begin;
  size_t end = begin;
  for (size_t next = note_mark_end(codes, end); next > end; next = note_mark_end(codes, end)) {
    end = next;
  }
  if (begin == 0 || end < codes.size()) return sentence.size();
  const size_t footnotes = sentence.size() - to_utf8(Codes(codes).substr(begin)).size();
  const bool is_emphasis = sentence.back() == '*' && sentence.find('*') < footnotes;
  return is_emphasis ? sentence.size() : footnotes;
}

std::optional<SignedNumber> find_signed_number(std::string_view text, const ProtectedSpan& number,
                                               size_t from) {
  constexpr size_t kNear = 16;  // bytes: a space, a sign and some letters
  const size_t near = std::max(from, number.begin - std::min(number.begin, kNear));
  const auto before = to_code_points(text.substr(near, number.begin - near));
  size_t at = before.size();
  if (at > 0 && is_whitespace(before[at - 1])) --at;
  if (at > 0 && is_currency(before[at - 1])) {
    const char32_t sign = before[--at];
    while (at > 0 && is_upper(before[at - 1])) --at;
    if (at == 0 && near > from) return {};  // letters of a word that begins before them
    if (at > 0 && has_case(before[at - 1])) return {};
    return SignedNumber{sign, number.begin - to_utf8(Codes(before).substr(at)).size(), number.end};
  }
  const auto after = to_code_points(text.substr(number.end, kNear));
  const auto code = [&](size_t place) { return place < after.size() ? after[place] : 0; };
  size_t end = is_whitespace(code(0)) ? 1 : 0;
  const char32_t sign = code(end++);
  if (!is_currency(sign) && !is_one_of(sign, U"%％‰°\u066A\u0609") && !is_one_of(sign, kUnitSigns))
    return {};
  if (is_currency(sign) && is_digit(code(end))) return {};  // the next number's
  if (sign == U'°' && is_one_of(code(end), U"CFcf")) ++end;
  if (has_case(code(end))) return {};
  return SignedNumber{sign, number.begin, number.end + to_utf8(Codes(after).substr(0, end)).size()};
}

size_t measurement_end(std::string_view text, size_t at) {
  constexpr size_t kNear = 16;  // bytes: spaces, a unit and an x
  if (at == 0 || !is_ascii_digit(text[at - 1])) return at;
  const auto after = to_code_points(text.substr(at, kNear));
  const auto code = [&](size_t place) { return place < after.size() ? after[place] : U'\0'; };
  const auto without_space = [&](size_t place) {
    return is_whitespace(code(place)) ? place + 1 : place;
  };
  size_t end = 0;
  size_t next = without_space(end);
  const size_t unit = next;
  while (is_ascii_alphanumeric(code(next)) || is_one_of(code(next), U"µμ")) ++next;
  if (is_unit(Codes(after).substr(unit, next - unit))) {
    if (is_one_of(code(next), U"²³")) ++next;
    if (code(next) == U'/' && code(next + 1) == U'h') next += 2;
    if (!is_letter(code(next))) end = next;
  }
  next = without_space(end);
  if (code(next) == U'x' && is_ascii_digit(code(without_space(next + 1)))) end = next + 1;
  return at + to_utf8(Codes(after).substr(0, end)).size();
}

size_t sign_begin(std::string_view text, size_t at, size_t from) {
  constexpr size_t kNear = 12;  // bytes of three characters
  const size_t near = at - std::min(at, kNear);
  auto before = to_code_points(text.substr(near, at - near));
  const bool has_space = before.size() > 1 && before.back() == U' ';
  if (has_space) before.pop_back();
  const Codes signs = has_space ? U"±≥≤≈" : U"±≥≤≈+-−–~<>#№";
  if (before.empty() || !is_one_of(before.back(), signs)) return at;
  const char32_t previous = before.size() > 1 ? before[before.size() - 2] : U' ';
  const size_t begin = at - to_utf8({&before.back(), 1}).size() - (has_space ? 1 : 0);
  return begin >= from && (is_whitespace(previous) || previous == U'(') ? begin : at;
}

}  // namespace nmt
