#pragma once

#include <string>
#include <string_view>

namespace nmt {

inline bool begins_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

inline bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// The text with the letters A to Z in lower case, and all others as they are: names in HTML, XML
/// and HTTP. Keeps the length, unlike to_lower() (unicode/code_points.h).
inline std::string to_ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

/// Replacements are not searched again. Takes time linear in the text's length.
inline void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::string replaced;
  size_t begin = 0;
  for (size_t at = 0; (at = text.find(from, begin)) != std::string::npos; begin = at + from.size())
    replaced.append(text, begin, at - begin).append(to);
  if (begin > 0) text.swap(replaced.append(text, begin, std::string::npos));
}

}  // namespace nmt
