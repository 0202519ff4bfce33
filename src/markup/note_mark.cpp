#include "markup/note_mark.h"

#include <cstddef>

#include "unicode/code_points.h"

namespace nmt {
namespace {

constexpr size_t kMaxMark = 40;  // bytes
constexpr std::u32string_view kOpeningMarks = U"[(［（";
constexpr std::u32string_view kClosingMarks = U"])］）";
constexpr std::u32string_view kSigns = U"*†‡§¶®™©";
constexpr std::u32string_view kBetween = U" \u00A0,-–";  // two numbers
constexpr std::u32string_view kBeforeMark = U".,;:!?…\"'”’»)]";

enum class MarkText { kNone, kNumbers, kSigned };  // kSigned: with brackets or other signs

MarkText mark_text(std::string_view text) {
  if (text.empty() || text.size() > kMaxMark) return MarkText::kNone;
  const auto codes = to_code_points(text);
  // Without its white space, words would be joined.
  if (is_whitespace(codes.front()) || is_whitespace(codes.back())) return MarkText::kNone;
  bool has_content = false;
  auto kind = MarkText::kNumbers;
  for (size_t i = 0; i < codes.size(); ++i) {
    const char32_t code = codes[i];
    const bool bracket = is_one_of(code, kOpeningMarks) || is_one_of(code, kClosingMarks);
    const bool letter = is_letter(code) && i + 1 < codes.size() &&
                        (i == 0 || is_one_of(codes[i - 1], kOpeningMarks)) &&
                        is_one_of(codes[i + 1], kClosingMarks);
    const bool sign = is_one_of(code, kSigns);
    if (letter || sign || is_ascii_digit(code)) {
      has_content = true;
    } else if (!bracket && !is_one_of(code, kBetween)) {
      return MarkText::kNone;
    }
    if (bracket || sign) kind = MarkText::kSigned;
  }
  return has_content ? kind : MarkText::kNone;
}

}  // namespace

bool is_note_mark(std::string_view element, std::string_view text, std::string_view before,
                  std::string_view after) {
  if (element != "sup" && element != "sub" && element != "a") return false;
  const auto kind = mark_text(text);
  if (kind != MarkText::kNumbers) return kind == MarkText::kSigned;
  const char32_t last = last_code(before);
  const bool precedes_word = is_alphanumeric(first_code(after));
  if (element == "a") return !precedes_word && (is_letter(last) || is_one_of(last, kBeforeMark));
  return element == "sup" ? !precedes_word || !is_alphanumeric(last)
                          : !precedes_word && !is_alphanumeric(last);
}

}  // namespace nmt
