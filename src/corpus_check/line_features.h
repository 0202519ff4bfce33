#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "unicode/scripts.h"

namespace nmt {

/// Japanese mixes two scripts, which count as one here: kHan is "Han or Kana", kKana is not used.
const char* script_name(Script script);

/// What is looked at in one side of a pair.
struct LineFeatures {
  bool valid = true;     // UTF-8
  bool control = false;  // has control characters, tabs apart
  int64_t characters = 0;
  int64_t words = 0;  // runs of what is not a space
  int64_t letters = 0;
  std::array<int64_t, kNumScripts> letters_of = {};  // by Script
  uint64_t numbers = 0;  // of the digits in it, in any order: equal where the same digits stand
  uint64_t text = 0;     // hash of the text in lower case without what is neither letter nor digit
};

LineFeatures features_of(std::string_view line);

/// The script of most letters.
Script main_script(const std::array<int64_t, kNumScripts>& letters_of);

}  // namespace nmt
