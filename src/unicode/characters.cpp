#include "unicode/characters.h"

#include <utf8proc.h>

#include <algorithm>

#include "unicode/code_points.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr utf8proc_int32_t kZeroWidthJoiner = 0x200D;

std::string spaces_beside(const std::string& text, size_t columns) {
  const size_t width = display_width(text);
  return std::string(width < columns ? columns - width : 0, ' ');
}

}  // namespace

std::vector<Character> split_characters(std::string_view text) {
  std::vector<Character> characters;
  utf8proc_int32_t before = 0;
  utf8proc_int32_t state = 0;
  for (size_t at = 0; at < text.size();) {
    char32_t code_point = 0;
    const auto rest = text.substr(at);
    const size_t size = decode_character(rest, code_point);
    if (size == 0) break;
    const auto code = static_cast<utf8proc_int32_t>(code_point);
    const size_t width = code_point_width(code_point);
    if (characters.empty() || utf8proc_grapheme_break_stateful(before, code, &state)) {
      characters.push_back({rest.substr(0, size), width});
    } else {
      auto& last = characters.back();
      // Beside what precedes it: a vowel sign, Thai ำ, the second letter of a flag. Joined emoji
      // are drawn as one.
      const bool beside = width == 1 && before != kZeroWidthJoiner;
      last = {text.substr(at - last.bytes.size(), last.bytes.size() + size),
              beside ? last.width + 1 : std::max(last.width, width)};
    }
    before = code;
    at += size;
  }
  return characters;
}

std::string printable(std::string_view text) {
  const auto valid = replace_invalid_utf8(text);
  std::string shown;
  for (const auto& character : split_characters(valid)) {
    const auto code = static_cast<utf8proc_int32_t>(first_code(character.bytes));
    const bool steers = utf8proc_category(code) == UTF8PROC_CATEGORY_CC;
    shown.append(steers ? std::string_view("\xEF\xBF\xBD") : character.bytes);
  }
  return shown;
}

std::vector<std::string> printable_all(const std::vector<std::string>& texts) {
  std::vector<std::string> shown;
  shown.reserve(texts.size());
  for (const auto& text : texts) shown.push_back(printable(text));
  return shown;
}

std::string wrapped(const std::string& text, size_t columns, size_t used, size_t indent) {
  std::string wrapped;
  const auto line_end = "\n" + std::string(indent, ' ');
  size_t column = used;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    size_t space = std::string::npos;  // last space of the row
    size_t after_space = 0;            // column after that space
    for (const auto& character :
         split_characters(std::string_view(text).substr(begin, end - begin))) {
      column += character.width;
      if (character.bytes == " ") {
        space = wrapped.size();
        after_space = column;
      } else if (column > columns && space != std::string::npos) {
        wrapped.replace(space, 1, line_end);
        column = column - after_space + indent;
        space = std::string::npos;
      }
      wrapped += character.bytes;
    }
    if (end < text.size()) wrapped += line_end;
    column = indent;
    begin = end + 1;
  }
  return wrapped;
}

std::string shortened(const std::string& text, size_t columns) {
  if (display_width(text) <= columns) return text;
  std::string kept;
  size_t width = 1;
  for (const auto& character : split_characters(text)) {
    if (width + character.width > columns) break;
    width += character.width;
    kept.append(character.bytes);
  }
  return kept + "…";
}

std::string padded_to(const std::string& text, size_t columns) {
  return text + spaces_beside(text, columns);
}

std::string right_aligned(const std::string& text, size_t columns) {
  return spaces_beside(text, columns) + text;
}

size_t widest(const std::vector<std::string>& texts) {
  size_t width = 0;
  for (const auto& text : texts) width = std::max(width, display_width(text));
  return width;
}

}  // namespace nmt
