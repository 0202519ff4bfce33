#include "pages/html_escape.h"

#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

std::string_view entity(char letter) {
  constexpr std::string_view kLetters = "&<>\"";
  constexpr std::string_view kNames[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
  const size_t at = kLetters.find(letter);
  return at == std::string_view::npos ? std::string_view() : kNames[at];
}

bool is_forbidden_control(char letter) {
  const auto code = static_cast<unsigned char>(letter);
  return code < 0x20 && letter != '\t' && letter != '\n' && letter != '\r';
}

/// U+FFFE and U+FFFF.
bool is_noncharacter(std::string_view text) {
  return text.substr(0, 2) == "\xEF\xBF" && text.size() > 2 &&
         (text[2] == '\xBE' || text[2] == '\xBF');
}

}  // namespace

std::string escape_html(std::string_view text) {
  const auto valid = replace_invalid_utf8(text);
  std::string escaped;
  for (size_t i = 0; i < valid.size(); ++i) {
    const auto name = entity(valid[i]);
    if (!name.empty()) {
      escaped += name;
    } else if (is_forbidden_control(valid[i])) {
      escaped += kReplacement;
    } else if (is_noncharacter(std::string_view(valid).substr(i, 3))) {
      escaped += kReplacement;
      i += 2;
    } else {
      escaped += valid[i];
    }
  }
  return escaped;
}

}  // namespace nmt
