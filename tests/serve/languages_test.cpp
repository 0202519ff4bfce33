#include "serve/languages.h"

#include "errors/error.h"
#include "support/catch.h"

namespace nmt {

TEST_CASE("A model's languages are told by the endings of its corpora", "[serve]") {
  const auto direction = guess_direction(NMT_SOURCE_DIR "/models/sample");
  REQUIRE(direction.source == "ko");
  REQUIRE(direction.target == "en");
}

TEST_CASE("The share of a script tells languages apart", "[serve]") {
  REQUIRE(script_share("안녕하세요 12!", "ko") == 1.0);
  REQUIRE(script_share("안녕하세요", "en") == 0.0);
  REQUIRE(script_share("ab가나", "en-US") == 0.5);
  REQUIRE(script_share("日本ごと", "ja") == 1.0);
  REQUIRE(script_share("Привет", "ru") == 1.0);
  REQUIRE(script_share("123", "ko") == 0.5);
  REQUIRE(script_share("text", "xx") == 0.5);
}

TEST_CASE("What is no language code is refused", "[serve]") {
  require_language_code("zh-TW");
  for (const std::string code : {"", "k", "korean language", "ko\"", "abcdefghijklm"}) {
    REQUIRE_THROWS_AS(require_language_code(code), UsageError);
  }
}

}  // namespace nmt
