#pragma once

#include <cstdint>
#include <string>

namespace nmt {

/// "1 pair", "2 pairs"; for nouns whose plural ends in s.
inline std::string counted(int64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace nmt
