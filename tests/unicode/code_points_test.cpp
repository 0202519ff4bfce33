#include "unicode/code_points.h"

#include "support/catch.h"

namespace nmt {

TEST_CASE("Text and code points convert into each other", "[evaluate][unicode]") {
  CHECK(to_code_points("aé안😀") == U"aé안😀");
  CHECK(to_utf8(U"aé안😀") == "aé안😀");
  CHECK(to_code_points("a\xff\xc3z") == U"a\uFFFD\uFFFDz");
}

TEST_CASE("White space is what Python splits at", "[evaluate][unicode]") {
  const std::vector<std::string> expected = {"a", "b", "c", "d", "e", "f\u200bg"};
  CHECK(split_whitespace(" a\tb\u00a0c\u3000d\x1c\u0085 e\u2028f\u200bg\r") == expected);
  CHECK(split_whitespace(" \u3000").empty());
}

TEST_CASE("Lower-casing goes beyond ASCII", "[evaluate][unicode]") {
  CHECK(to_lower("ÄÖÜ ẞ ÇŽ Я Ω 안녕 1!") == "äöü ß çž я ω 안녕 1!");
  CHECK(to_lower("") == "");
}

TEST_CASE("The capital dotted i becomes two characters", "[evaluate][unicode]") {
  CHECK(to_lower("İIı") == "i\u0307iı");
}

TEST_CASE("A sigma at the end of a word is lower-cased to its final form", "[evaluate][unicode]") {
  CHECK(to_lower("ΟΔΟΣ ΣΟΣ") == "οδος σος");
  CHECK(to_lower("ΑΣ. ΑΣ' «ΑΣ» ΑΣ1") == "ας. ας' «ας» ας1");
  CHECK(to_lower("Σ ΑΣ'Α Α\u0301Σ\u0301Α Α.Σ") == "σ ασ'α α\u0301σ\u0301α α.ς");
}

TEST_CASE("Decomposed text is composed", "[unicode]") {
  CHECK(to_nfc("Ma\u0308dchen \u110E\u1162\u11A8 q\u0303") == "Mädchen 책 q\u0303");
  CHECK(to_nfc("") == "");
  CHECK(to_nfc("a\xff") == "a\xff");
}

TEST_CASE("Characters have their Unicode categories", "[evaluate][unicode]") {
  for (const char32_t code : U"._-«。、") CHECK((code == 0 || is_punctuation(code)));
  for (const char32_t code : U"5½²Ⅷ٣") CHECK((code == 0 || is_number(code)));
  for (const char32_t code : {U'7', U'٧', U'۷', U'७', U'৭', U'๗', U'７', U'𝟕', U'𝟽'}) {
    CHECK(digit_value(code) == 7);
  }
  for (const char32_t code : U"aⅧ²½五") CHECK(digit_value(code) == -1);
  for (const char32_t code : U"$€+^`|😀") CHECK((code == 0 || is_symbol(code)));
  for (const char32_t code : U"aé안") {
    CHECK_FALSE((is_punctuation(code) || is_number(code) || is_symbol(code)));
  }
}

}  // namespace nmt
