#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nmt {

/// Writing systems that corpora mix up, as far as code points tell them apart.
enum class Script {
  kLatin,
  kGreek,
  kCyrillic,
  kHebrew,
  kArabic,
  kIndic,
  kThai,
  kHangul,
  kHanOrKana,
  kOther,
};
constexpr size_t kNumScripts = 10;
const char* script_name(Script script);

/// The script of a letter's code point.
Script script_of(int32_t codepoint);

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
