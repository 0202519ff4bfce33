#include "markup/quoted_text.h"

#include "unicode/utf8.h"

namespace nmt {

QuotedText unquote(std::string_view quoted) {
  QuotedText read;
  bool inside = false;
  for (size_t at = 0; at < quoted.size(); ++at) {
    if (quoted[at] == '"') {
      inside = !inside;
    } else if (inside) {
      read.begin.push_back(at);
      char c = quoted[at];
      if (c == '\\') {
        constexpr std::string_view kEscaped = "nt\"\\";
        const size_t name = kEscaped.find(quoted[++at]);
        while (continues_character(quoted[at + 1])) ++at;
        c = name == std::string_view::npos ? '\0' : "\n\t\"\\"[name];
      }
      read.text += c;
    }
  }
  // The quotes between two lines belong to the byte before them.
  read.begin.push_back(quoted.size() - 1);
  return read;
}

}  // namespace nmt
