#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "unicode/scripts.h"

namespace nmt {

/// Features of one side of a pair.
struct LineFeatures {
  bool valid = true;     // UTF-8
  bool control = false;  // has control characters other than tabs
  int64_t characters = 0;
  double words = 0;  // number_of_words; 0 if all characters are invisible
  int64_t letters = 0;
  std::array<int64_t, kNumScripts> letters_of = {};  // by counted_script
  uint64_t numbers = 0;                              // hash of its digits in any order
  uint64_t text = 0;                                 // sentence_key
};

LineFeatures features_of(std::string_view line);

}  // namespace nmt
