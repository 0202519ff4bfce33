#include "corpus_check/line_defects.h"

#include <string>
#include <utility>
#include <vector>

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

}  // namespace nmt
