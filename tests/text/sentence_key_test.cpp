#include "text/sentence_key.h"

#include <string>
#include <vector>

#include "support/catch.h"

namespace nmt {

TEST_CASE("Sentences have one key whatever their case, spaces, punctuation and form", "[text]") {
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{
           {"Is it here?", "  is IT\there "},
           {"It's 10 past.", "its 10 past"},
           {"Straße", "STRASSE"},
           {"caf\u00E9", "CAFE\u0301"},
           {"\uFF28\uFF45\uFF4C\uFF4C\uFF4F", "hello"},       // full width
           {"\u1100\u1161", "\uAC00"},                        // Jamo
           {"qu\u2019on\u00A0dit\u202F!", "Qu\u00B4on dit"},  // spaces, an accent for an apostrophe
           {"ng\u02BCombe", "ng'ombe"},
           {"soft\u00ADhyphen", "soft\u200Bhyphen"}}) {
    INFO(a);
    CHECK(sentence_key(a) == sentence_key(b));
    CHECK(sentence_key(a) != 0);
  }
  std::string syllables;
  std::string jamo;
  for (int i = 0; i < 5000; ++i) {
    syllables += "\uAC00";
    jamo += "\u1100\u1161";
  }
  CHECK(sentence_key(syllables) == sentence_key(jamo));
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{
           {"10 past", "11 past"}, {"caf\u00E9", "cafe"}, {"\u0915\u093F", "\u0915\u093E"}}) {
    INFO(a);
    CHECK(sentence_key(a) != sentence_key(b));
  }
  for (const std::string none : {"", " ?! ", "\u2665\uFE0F", "\xFFtext", "text\xE2\x99", "\xC3"}) {
    INFO(none);
    CHECK(sentence_key(none) == 0);
  }
}

TEST_CASE("Held-out sentences are found again; the digest depends on nothing else", "[text]") {
  HeldOutSentences one;
  HeldOutSentences other;
  CHECK_FALSE(one.contains("?"));
  for (const std::string sentence : {"a b", "c d", "?"}) one.insert(sentence);
  for (const std::string sentence : {"C D!", "...", "A b.", "a b"}) other.insert(sentence);
  CHECK(one.contains("AB"));
  CHECK_FALSE(one.contains("?"));
  CHECK(one.digest() == other.digest());
  other.insert("e");
  CHECK(one.digest() != other.digest());
}

}  // namespace nmt
