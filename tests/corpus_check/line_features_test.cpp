#include "corpus_check/line_features.h"

#include "support/catch.h"

namespace nmt {

TEST_CASE("A line's letters are told apart by script", "[inspect]") {
  REQUIRE(script_of('a') == Script::kLatin);
  REQUIRE(script_of(0x254) == Script::kLatin);  // ɔ
  REQUIRE(script_of(0x1348) == Script::kEthiopic);
  REQUIRE(script_of(0x13A3) == Script::kCherokee);
  REQUIRE(script_of(0x7CA) == Script::kNko);
  REQUIRE(script_of(0x1E900) == Script::kAdlam);
  REQUIRE(script_of(0x10FF0) == Script::kOther);
  REQUIRE(script_of(0xDF) == Script::kLatin);      // ß
  REQUIRE(script_of(0x416) == Script::kCyrillic);  // Ж
  REQUIRE(script_of(0xD55C) == Script::kHangul);   // 한
  REQUIRE(script_of(0x3042) == Script::kKana);
  REQUIRE(script_of(0x4E2D) == Script::kHan);
  REQUIRE(main_script(features_of("これは本です").letters_of) == Script::kHan);  // with Kana
  REQUIRE(script_of(0x10FFFF) == Script::kOther);
  const auto mixed = features_of("나는 New York에 3번 갔다");
  REQUIRE(mixed.letters_of[static_cast<size_t>(Script::kHangul)] == 6);
  REQUIRE(mixed.letters_of[static_cast<size_t>(Script::kLatin)] == 7);
  REQUIRE(mixed.letters == 13);
  REQUIRE(mixed.words == 5);
  REQUIRE(main_script(mixed.letters_of) == Script::kLatin);
}

TEST_CASE("Two characters of a script without spaces are a word", "[inspect]") {
  REQUIRE(features_of("これは本です").words == 3);
  REQUIRE(features_of("我们 去学校").words == 2.5);
  REQUIRE(features_of("ไปไหน").words == 2.5);
  REQUIRE(features_of("ខ្ញុំទៅ").words == 3.5);
  REQUIRE(features_of("나는 학교에 갔다").words == 3);
  REQUIRE(features_of("\u200B \uFEFF").words == 0);
}

TEST_CASE("Case and punctuation do not make another text, letters and digits do", "[inspect]") {
  const auto text = features_of("Ein Hund, ein Ball.").text;
  REQUIRE(features_of("ein hund ein ball").text == text);
  REQUIRE(features_of("ein hund ein balls").text != text);
  REQUIRE(features_of("ein hund ein bal").text != text);
  REQUIRE(features_of("1").text != features_of("2").text);
  REQUIRE(features_of("...").text == 0);
}

TEST_CASE("The same digits in another order are the same numbers", "[inspect]") {
  REQUIRE(features_of("from 12 to 345").numbers == features_of("345 bis 12").numbers);
  REQUIRE(features_of("12").numbers != features_of("13").numbers);
  REQUIRE(features_of("none").numbers == 0);
  REQUIRE(features_of("12").numbers == features_of("۱۲").numbers);
}

TEST_CASE("What is not text is noticed", "[inspect]") {
  REQUIRE_FALSE(features_of("a\xFFz").valid);
  REQUIRE(features_of(std::string_view("a\0z", 3)).control);
  REQUIRE_FALSE(features_of("a\tz").control);
  REQUIRE(features_of("a\tz").words == 2);
  REQUIRE(features_of("  \xE3\x80\x80 ").words == 0);  // an ideographic space
  REQUIRE(features_of("").characters == 0);
}

}  // namespace nmt
