#include "pages/text_width.h"

#include <algorithm>

#include "unicode/characters.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

/// In ems, rounded up from DejaVu Sans, the widest of the usual fonts.
double advance(const Character& character) {
  if (character.width == 0) return 0.0;
  if (character.width > 1) return 1.0 + 0.4 * (character.bytes.size() > 3);  // emoji are wider
  const char first = character.bytes.front();
  if (character.bytes.size() > 1) return 0.8;
  if (std::string_view("mwMWO@%&+<=>~").find(first) != std::string_view::npos) return 1.0;
  if (std::string_view("ijltfr .,:;'|!()[]/\\-").find(first) != std::string_view::npos) return 0.42;
  return first >= 'A' && first <= 'Z' ? 0.78 : 0.64;
}

}  // namespace

double text_width(std::string_view text, double size) {
  const auto valid = replace_invalid_utf8(text);
  double ems = 0.0;
  for (const auto& character : split_characters(valid)) ems += advance(character);
  return ems * size;
}

double text_width(const std::vector<std::string>& texts, double size) {
  double width = 0.0;
  for (const auto& text : texts) width = std::max(width, text_width(text, size));
  return width;
}

}  // namespace nmt
