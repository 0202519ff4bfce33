#include "text/protected_spans.h"

#include <utf8proc.h>

#include <algorithm>

#include "unicode/code_points.h"

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

/// What continues an emoji: joiner, variation selector, skin tone, keycap.
bool continues_emoji(char32_t code) {
  return code == 0x200D || code == 0xFE0F || (code >= 0x1F3FB && code <= 0x1F3FF) ||
         code == 0x20E3 || is_pictograph(code);
}

bool is_currency(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code)) == UTF8PROC_CATEGORY_SC;
}

constexpr size_t kMaxNumber = 40;  // characters

class SpanFinder {
 public:
  explicit SpanFinder(Codes text) : text_(text) {}

  /// The end of a span that begins at `at` and its kind, or `at`.
  size_t end_at(size_t at, SpanKind& kind) const {
    for (const auto& [found, of_kind] : {std::pair{url_end(at), SpanKind::kUrl},
                                         {email_end(at), SpanKind::kEmail},
                                         {emoji_end(at), SpanKind::kEmoji},
                                         {number_end(at), SpanKind::kNumber}}) {
      kind = of_kind;
      if (found > at) return found;
    }
    return at;
  }

 private:
  char32_t code(size_t at) const { return at < text_.size() ? text_[at] : 0; }
  bool begins_word(size_t at) const {
    return at == 0 || !(has_case(text_[at - 1]) || is_ascii_digit(text_[at - 1]));
  }

  size_t url_end(size_t at) const {
    if (!begins_word(at)) return at;
    size_t scheme = at;
    while (is_ascii_alphanumeric(code(scheme)) && scheme - at < 10) ++scheme;
    const bool has_scheme = scheme > at && text_.substr(scheme, 3) == U"://";
    if (!has_scheme && text_.substr(at, 4) != U"www.") return at;
    const size_t first = has_scheme ? scheme + 3 : at + 4;
    size_t end = first;
    // URLs are ASCII; a Korean particle or Chinese text may follow directly.
    while (code(end) > U' ' && code(end) < 0x7F && !is_one_of(code(end), U"<>\"")) ++end;
    while (end > first && is_one_of(text_[end - 1], U".,;:!?'")) --end;
    const bool opened = text_.substr(first, end - first).find(U'(') != Codes::npos;
    while (end > first && !opened && is_one_of(text_[end - 1], U")].,;:!?'")) --end;
    return end > first ? end : at;
  }

  size_t email_end(size_t at) const {
    const auto is_local = [](char32_t c) {
      return is_ascii_alphanumeric(c) || is_one_of(c, U"._%+-");
    };
    if (!is_ascii_alphanumeric(code(at)) || !begins_word(at)) return at;
    size_t sign = at;
    while (is_local(code(sign)) && sign - at < 64) ++sign;
    if (code(sign) != U'@') return at;
    size_t end = sign + 1;
    while (is_ascii_alphanumeric(code(end)) || is_one_of(code(end), U".-")) ++end;
    while (end > sign && is_one_of(text_[end - 1], U".-")) --end;
    return text_.substr(sign, end - sign).find(U'.') != Codes::npos ? end : at;
  }

  size_t emoji_end(size_t at) const {
    if (!is_pictograph(code(at))) return at;
    size_t end = at + 1;
    while (end < text_.size() && continues_emoji(text_[end])) ++end;
    return end;
  }

  size_t number_end(size_t at) const {
    if (!is_ascii_digit(code(at)) || !begins_word(at)) return at;
    size_t end = at;
    const auto belongs = [&] {
      return is_ascii_digit(code(end)) ||
             (is_one_of(code(end), U".,:/-") && is_ascii_digit(code(end + 1)));
    };
    while (end - at < kMaxNumber && belongs()) ++end;
    return has_case(code(end)) || belongs() ? at : end;
  }

  Codes text_;
};

}  // namespace

std::vector<ProtectedSpan> find_protected_spans(std::string_view text) {
  std::vector<ProtectedSpan> spans;
  // Digits, an address, the first bytes of pictographs: most sentences have none.
  const bool possible = text.find_first_of("0123456789@\xE2\xE3\xF0") != std::string_view::npos ||
                        text.find("://") != std::string_view::npos ||
                        text.find("www.") != std::string_view::npos;
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
  if (!is_currency(sign) && !is_one_of(sign, U"%‰°")) return {};
  if (is_currency(sign) && is_ascii_digit(code(end))) return {};  // the next number's
  if (sign == U'°' && is_one_of(code(end), U"CFcf")) ++end;
  if (has_case(code(end))) return {};
  return SignedNumber{sign, number.begin, number.end + to_utf8(Codes(after).substr(0, end)).size()};
}

}  // namespace nmt
