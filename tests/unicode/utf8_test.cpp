#include "unicode/utf8.h"

#include <string>
#include <vector>

#include "support/catch.h"
#include "unicode/characters.h"

namespace nmt {

TEST_CASE("Well-formed text of every length passes", "[support]") {
  REQUIRE_FALSE(find_invalid_utf8("plain, é, 한국어, 🙂, \xF4\x8F\xBF\xBF"));
  REQUIRE_FALSE(find_invalid_utf8(""));
}

TEST_CASE("What the Unicode table forbids is found where it is", "[support]") {
  REQUIRE(*find_invalid_utf8("ab\xC0\xAF") == 2);         // overlong
  REQUIRE(*find_invalid_utf8("\xED\xA0\x80") == 0);       // surrogate
  REQUIRE(*find_invalid_utf8("a\xF4\x90\x80\x80") == 1);  // beyond U+10FFFF
  REQUIRE(*find_invalid_utf8("한\xED\x95") == 3);         // cut off
  REQUIRE(*find_invalid_utf8("\x80") == 0);               // continuation alone
}

TEST_CASE("Bad bytes are replaced and the rest kept", "[support]") {
  REQUIRE(replace_invalid_utf8("a\xFF한") == "a\xEF\xBF\xBD한");
  REQUIRE(replace_invalid_utf8("한국") == "한국");
}

TEST_CASE("Wide characters take two columns and combining marks none", "[support]") {
  REQUIRE(display_width("abc") == 3);
  REQUIRE(display_width("한국어") == 6);
  REQUIRE(display_width("e\xCC\x81") == 1);
}

TEST_CASE("Vowel signs beside their letter take a column in every script", "[support]") {
  struct Text {
    std::string text;
    size_t columns;
  };
  for (const auto& [text, columns] : std::vector<Text>{{"ทำน้ำ", 4},
                                                       {"दुनिया", 5},
                                                       {"नमस्ते", 4},
                                                       {"မြန်မာ", 5},
                                                       {"ភាសាខ្មែរ", 8},
                                                       {"\u1100\u1161\u11A8", 2},
                                                       {"\U0001F1F0\U0001F1F7", 2}}) {
    INFO(text);
    size_t drawn = 0;
    for (const auto& character : split_characters(text)) drawn += character.width;
    CHECK(drawn == columns);
    CHECK(display_width(text) == columns);
  }
  // A family of three people that are joined.
  const std::string family = "\U0001F468\u200D\U0001F469\u200D\U0001F467";
  REQUIRE(split_characters(family).size() == 1);
  CHECK(split_characters(family).front().width == 2);
}

}  // namespace nmt
