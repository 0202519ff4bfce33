#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace nmt {

/// The number that the whole of `text` spells, in any locale; nullopt for any other text.
/// Floating-point numbers include inf and nan.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

/// The shortest text that parse_number reads back as the same number.
template <typename Number>
std::string shortest_text(Number value) {
  char text[32];
  const auto written = std::to_chars(text, text + sizeof(text), value);
  return {text, written.ptr};
}

}  // namespace nmt
