#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "numbers/parse.h"

namespace nmt {

/// The number of bytes that a text such as "2G", "800m", "64 KiB" or "1000" means, as --max-memory
/// of nmt serve reads it. Units are powers of 1024. nullopt for any other text.
inline std::optional<uint64_t> parse_byte_size(std::string_view text) {
  static const std::map<std::string, int> shifts = {
      {"", 0},     {"b", 0},  {"k", 10},  {"kb", 10},  {"kib", 10}, {"m", 20},  {"mb", 20},
      {"mib", 20}, {"g", 30}, {"gb", 30}, {"gib", 30}, {"t", 40},   {"tb", 40}, {"tib", 40}};
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parse_number<uint64_t>(text.substr(0, digits));
  std::string unit;
  for (const char letter : text.substr(digits)) {
    if (letter != ' ') unit += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  const auto shift = shifts.find(unit);
  if (!number || shift == shifts.end()) return std::nullopt;
  if (*number > std::numeric_limits<uint64_t>::max() >> shift->second) return std::nullopt;
  return *number << shift->second;
}

}  // namespace nmt
