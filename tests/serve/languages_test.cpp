#include "serve/languages.h"

#include "errors/error.h"
#include "support/catch.h"

namespace nmt {

TEST_CASE("A model's languages are those of its corpora's extensions", "[serve]") {
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

TEST_CASE("Only language tags are accepted as language codes", "[serve]") {
  for (const std::string code : {"ko", "xx", "zh-TW", "zh-Hant-TW", "es-419", "yue", "de-1996"}) {
    INFO(code);
    REQUIRE_NOTHROW(require_language_code(code));
  }
  for (const std::string code : {"", "k", "korean language", "ko\"", "abcdefghijklm", "ko-1", "jp",
                                 "KO", "ko-", "-ko", "ko_KR", "ko kr", "k "}) {
    INFO(code);
    REQUIRE_THROWS_AS(require_language_code(code), UsageError);
  }
  REQUIRE_THROWS_WITH(
      require_language_code("Korean"),
      "'Korean' is not a language code (did you mean ko?); use an ISO 639 code such "
      "as ko, en or zh-TW");
}

}  // namespace nmt
