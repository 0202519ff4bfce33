#include "corpus_check/line_defects.h"

#include <string>
#include <utility>
#include <vector>

#include "corpus_check/numbers.h"
#include "support/catch.h"

namespace nmt {

TEST_CASE("Text in a wrong encoding is told from accents and quotation marks", "[inspect]") {
  for (const std::string line :
       {"SchÃ¶ne GrÃ¼ÃŸe", "l\u2019Ã©tÃ©", "Itâ€™s late", "ìˆ˜ì—…", "¾È³çÇÏ¼¼¿ä", "f\u221A\u00BCr",
        "caf\uFFFD", "D\u00C3\u00A9j\u00C3\u00A0 vu"}) {
    INFO(line);
    REQUIRE(has_wrong_encoding(line));
  }
  for (const std::string line :
       {"Schöne Grüße", "« Déjà vu », dit-elle", "„Größe“", "MENÜ“", "수업", "2 × 3 – 5 €",
        "São Paulo, Ærø, Łódź", "«\u00A0l'Été\u00A0».", "plain"}) {
    INFO(line);
    REQUIRE_FALSE(has_wrong_encoding(line));
  }
}

TEST_CASE("Markup, addresses and joined lines are told from text", "[inspect]") {
  for (const std::string line : {"<p>Yes.</p>", "a <br/> b", "see <a href=\"x\">this</a>",
                                 "Tom &amp; Mary", "&#39;Yes&#39;", "x <custom:tag a=\"1\"> y"}) {
    INFO(line);
    REQUIRE(has_markup(line));
  }
  for (const std::string line :
       {"I <3 you", "3 < 5 > 2", "Tom & Mary; Jim", "a <blank> here", "R&D; that is it"}) {
    INFO(line);
    REQUIRE_FALSE(has_markup(line));
  }
  REQUIRE(has_markup("3 < 5 <br> && &amp;"));
  for (const char begin : {'<', '&'}) REQUIRE_FALSE(has_markup(std::string(10'000'000, begin)));
  REQUIRE(is_only_addresses(" https://example.org/a?b=c "));
  REQUIRE(is_only_addresses("www.example.org someone@example.org"));
  REQUIRE(is_only_addresses("example.org/page"));
  REQUIRE_FALSE(is_only_addresses("See www.example.org."));
  REQUIRE_FALSE(is_only_addresses("and/or"));
  REQUIRE_FALSE(is_only_addresses(""));
  REQUIRE(is_joined("one\ttwo"));
  REQUIRE_FALSE(is_joined("\tone \t"));
}

TEST_CASE("Numbers contradict each other only where both sides have them", "[inspect]") {
  REQUIRE(numbers_contradict("Er ist 31 Jahre alt.", "He is 32 years old."));
  REQUIRE(numbers_contradict("Zimmer 7", "room 9"));
  REQUIRE(numbers_contradict("Seit 1987 lebt sie hier.", "She has lived here since then."));
  REQUIRE(numbers_contradict("12.500 Euro", "12,400 euros"));
  for (const auto& [source, target] : std::vector<std::pair<std::string, std::string>>{
           {"um halb vier", "at 3:30"},
           {"um halb 8", "at 7:30"},
           {"um 14:30 Uhr", "at 2:30 p.m."},
           {"12.500 Euro", "12,500 euros"},
           {"12 500 euros", "12,500 euros"},
           {"am 3.10.1990", "on 10/03/1990"},
           {"drei Hunde und 4 Katzen", "3 dogs and 4 cats"},
           {"die 90er Jahre", "the 1990s"},
           {"3백만 달러", "$3 million"},
           {"der 3. Mann", "the 3rd man"},
           {"tausend Mal", "1000 times"},
           {"The war began in 2015.", "যুদ্ধ ২০১৫ সালে শুরু হয়।"},
           {"ohne Zahl", "no number"}}) {
    INFO(source << " | " << target);
    REQUIRE_FALSE(numbers_contradict(source, target));
    REQUIRE_FALSE(numbers_contradict(target, source));
  }
}

TEST_CASE("Of very many numbers only equal ones agree", "[inspect]") {
  const auto repeated = [](const std::string& number, int count) {
    std::string line;
    for (int i = 0; i < count; ++i) line += number + " ";
    return line;
  };
  REQUIRE_FALSE(numbers_contradict(repeated("2", 300), repeated("14", 300)));
  REQUIRE(numbers_contradict(repeated("2", 301), repeated("14", 301)));  // too many to compare
  REQUIRE_FALSE(numbers_contradict(repeated("2", 1000) + "7", "7 " + repeated("2", 1000)));
}

}  // namespace nmt
