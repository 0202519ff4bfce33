#include "translate/language_detection.h"

#include "support/catch.h"

namespace nmt {
namespace {

std::string likeliest(const std::string& text, const std::vector<std::string>& codes) {
  return detect_languages(text, codes).front().code;
}

}  // namespace

TEST_CASE("The language of a sentence is detected among those of the server", "[translate]") {
  const std::vector<std::string> codes = {"ko", "en", "fr", "de"};
  REQUIRE(likeliest("저는 책을 읽어요.", codes) == "ko");
  REQUIRE(likeliest("How far is the library?", codes) == "en");
  REQUIRE(likeliest("Je ne sais pas encore.", codes) == "fr");
  REQUIRE(likeliest("Das Haus ist sehr alt.", codes) == "de");
  REQUIRE(detect_languages("Das Haus ist sehr alt.", codes).front().share == 1.0);
}

TEST_CASE("A text in two languages has a share of each", "[translate]") {
  const auto shares =
      detect_languages("저는 책을 읽어요. This is English already, isn't it?", {"ko", "en", "de"});
  REQUIRE(shares[0].share + shares[1].share == Approx(1.0));
  REQUIRE(shares[1].share > 0.3);
  REQUIRE(shares[2].code == "de");
  REQUIRE(shares[2].share == 0.0);
}

TEST_CASE("Lines are detected one by one", "[translate]") {
  const std::string german = "Zwei Frauen gehen am Strand spazieren.\n";
  const std::string french = "Un homme est assis sur un banc dans le parc.\n";
  const auto shares = detect_languages(german + german + french + "12:30\n\n" + german + german,
                                       {"en", "de", "fr"});
  REQUIRE(shares[0].code == "de");
  REQUIRE(shares[1].code == "fr");
  const auto french_bytes = static_cast<double>(french.size());
  REQUIRE(shares[1].share ==
          Approx(french_bytes / (french_bytes + 4.0 * static_cast<double>(german.size())))
              .epsilon(0.02));
  REQUIRE(shares[2].share == 0.0);
}

TEST_CASE("A text in none of the languages has no share, one without letters equal ones",
          "[translate]") {
  for (const auto& language : detect_languages("Кот сидит дома", {"ko", "en"})) {
    REQUIRE(language.share == 0.0);
  }
  for (const std::string text : {"", "12:30", "\x01", "https://example.org/a", "a@example.org"}) {
    INFO(text);
    const auto shares = detect_languages(text, {"ko", "en", "de", "fr"});
    REQUIRE(shares.size() == 4);
    REQUIRE(shares[0].code == "ko");
    for (const auto& language : shares) REQUIRE(language.share == 0.25);
  }
}

TEST_CASE("Codes may name regions, and be those of ISO 639 where CLD2 has its own", "[translate]") {
  const std::string traditional = "這本書很有趣，我們應該讀它。";
  REQUIRE(detect_languages(traditional, {"en", "zh"}).front().share == 1.0);
  REQUIRE(likeliest(traditional, {"zh-CN", "zh-TW"}) == "zh-TW");
  REQUIRE(likeliest("הספר הזה מעניין מאוד.", {"en", "he"}) == "he");
  REQUIRE(likeliest("How far is the library?", {"de-AT", "en-GB"}) == "en-GB");
  REQUIRE(likeliest("How far?", {"xx"}) == "xx");
}

TEST_CASE("A sentence is in the language that most of it is in", "[translate]") {
  const std::vector<std::string> codes = {"de", "en"};
  REQUIRE(is_in("How far is the library?", "en", codes));
  REQUIRE_FALSE(is_in("Das Haus ist sehr alt.", "en", codes));
  REQUIRE_FALSE(is_in("Кот сидит дома", "en", codes));
  REQUIRE_FALSE(is_in("12:30", "de", codes));
}

TEST_CASE("URLs and e-mail addresses are in no language", "[translate]") {
  const std::vector<std::string> codes = {"de", "en"};
  REQUIRE(is_in("Ein Mann liest https://example.org/a im Park.", "de", codes));
  REQUIRE(is_in("Ein Mann liest (https://www.example.com/news/article).", "de", codes));
  REQUIRE(is_in("Bitte schreiben Sie an the.weather@example.org.", "de", codes));
}

TEST_CASE("Two known, different languages can be distinguished", "[translate]") {
  REQUIRE(can_distinguish({"de", "en"}));
  REQUIRE(can_distinguish({"zh-TW", "en-GB"}));
  for (const Direction& direction :
       {Direction{"xx", "en"}, Direction{"de", "xx"}, Direction{"", "en"}, Direction{"de", "de-AT"},
        Direction{"lb", "de"}, Direction{"mn", "ru"}, Direction{"nb", "no"}}) {
    INFO(directions_text({direction}));
    REQUIRE_FALSE(can_distinguish(direction));
  }
}

}  // namespace nmt
