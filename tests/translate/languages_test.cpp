#include "translate/languages.h"

#include "errors/error.h"
#include "support/catch.h"

namespace nmt {

TEST_CASE("A model's languages are those of its corpora's extensions", "[translate]") {
  Settings settings;
  settings.data.train_source = {"corpora/train.ko", "more.de"};
  settings.data.train_target = {"corpora/train.en.gz", "more.fr"};
  REQUIRE(guess_direction(settings, "models/de-fr") == Direction{"ko", "en"});
}

TEST_CASE("A model whose corpora name no languages may name them itself", "[translate]") {
  Settings settings;
  settings.data.train_source = {"train.src"};
  settings.data.train_target = {"train.tgt"};
  REQUIRE(guess_direction(settings, "models/de-fr") == Direction{"de", "fr"});
  REQUIRE(guess_direction(settings, "models/de-fr/") == Direction{"de", "fr"});
  REQUIRE(guess_direction(settings, "models/de-fr.nmt") == Direction{"de", "fr"});
  REQUIRE(guess_direction(settings, "models/is-mk") == Direction{"is", "mk"});
  settings.data.train_source = {"train.ko"};
  REQUIRE(guess_direction(settings, "models/de-fr") == Direction{"ko", "fr"});
  settings.data.train_source.clear();
  for (const std::string name :
       {"models/mine", "models/my-model", "models/de-", "models/de-fr-2"}) {
    INFO(name);
    REQUIRE(guess_direction(settings, name) == Direction{"xx", "xx"});
  }
}

TEST_CASE("A three-letter extension is a language if the other one is known", "[translate]") {
  Settings settings;
  settings.data.train_source = {"train.ckb"};
  settings.data.train_target = {"train.en"};
  REQUIRE(guess_direction(settings, "mine") == Direction{"ckb", "en"});
  REQUIRE(guess_direction(settings, "ku-en") == Direction{"ku", "en"});
  settings.data.train_target = {"train.lad"};
  REQUIRE(guess_direction(settings, "mine") == Direction{"xx", "xx"});
  settings.data.train_source = {"train.es"};
  REQUIRE(guess_direction(settings, "mine") == Direction{"es", "lad"});
  settings.data.train_target = {"train.txt"};
  REQUIRE(guess_direction(settings, "mine") == Direction{"es", "xx"});
}

TEST_CASE("Codes of one language differ in script and region only", "[translate]") {
  REQUIRE(same_language("zh-TW", "zh"));
  REQUIRE(same_language("xx", "ko"));
  REQUIRE_FALSE(same_language("en", "es"));
}

TEST_CASE("Only language tags are accepted as language codes", "[translate]") {
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
