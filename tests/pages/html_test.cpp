#include "pages/html.h"

#include "support/catch.h"

namespace nmt {

TEST_CASE("What has a meaning in HTML is escaped", "[report]") {
  CHECK(escape_html("<a href=\"x\">'&'</a>") == "&lt;a href=&quot;x&quot;&gt;'&amp;'&lt;/a&gt;");
  CHECK(escape_html("가나 ok\t\n") == "가나 ok\t\n");
}

TEST_CASE("What XML forbids becomes U+FFFD", "[report]") {
  CHECK(escape_html("a\x01z") == "a\xEF\xBF\xBDz");
  CHECK(escape_html("a\xFFz") == "a\xEF\xBF\xBDz");
  CHECK(escape_html("a\xEF\xBF\xBFz") == "a\xEF\xBF\xBDz");
  CHECK(escape_html("\xEF\xBF\xBD") == "\xEF\xBF\xBD");
}

TEST_CASE("No string of JSON ends a script", "[report]") {
  CHECK(escape_script(R"(["</script>","<!--"])") == R"(["\u003c/script>","\u003c!--"])");
}

TEST_CASE("The first letter of a text decides its direction", "[report]") {
  const auto page = page_begin("title", "");
  const auto rule = page.find("dd, figcaption, option,");
  REQUIRE(rule != std::string::npos);
  CHECK(page.substr(rule, page.find('\n', rule) - rule).find("{ unicode-bidi: plaintext; }") !=
        std::string::npos);
}

}  // namespace nmt
