#include "serve/translation_path.h"

#include "support/catch.h"

namespace nmt {
namespace {

using Codes = std::vector<std::string>;

const std::vector<Direction> kModels = {{"de", "en"}, {"en", "fr"}, {"fr", "en"},
                                        {"de", "nl"}, {"nl", "fr"}, {"fr", "ko"}};

}  // namespace

TEST_CASE("The path between languages is a model, or the first two that lead there", "[serve]") {
  REQUIRE(find_path(kModels, "en", "fr") == TranslationPath{1});
  REQUIRE(find_path(kModels, "de", "fr") == TranslationPath{0, 1});  // not by nl, models 3 and 4
  REQUIRE(find_path(kModels, "en", "ko") == TranslationPath{1, 5});
  REQUIRE(find_path(kModels, "de", "ko").empty());  // three models away
  REQUIRE(find_path(kModels, "ko", "en").empty());
  REQUIRE(find_path(kModels, "en", "en").empty());  // not by way of fr
}

TEST_CASE("A path takes the very code, or one of the same language", "[serve]") {
  const std::vector<Direction> chinese = {{"en", "zh-CN"}, {"en", "zh-TW"}, {"zh", "ko"}};
  REQUIRE(find_path(chinese, "en", "zh-TW") == TranslationPath{1});
  REQUIRE(find_path(chinese, "en-US", "zh") == TranslationPath{0});
  for (const std::string code : {"zh-TW", "zh-tw", "zh-Hant", "ZH-HANT"}) {
    REQUIRE(find_path(chinese, "en-US", code) == TranslationPath{1});
  }
  const std::vector<Direction> pivot = {
      {"pt-PT", "en"}, {"pt-BR", "en"}, {"en", "zh-CN"}, {"en", "zh-TW"}};
  REQUIRE(find_path(pivot, "pt-BR", "zh-TW") == TranslationPath{1, 3});
  REQUIRE(find_path(pivot, "pt", "zh-Hant") == TranslationPath{0, 3});
  REQUIRE(find_path(pivot, "pt", "zh") == TranslationPath{0, 2});
  REQUIRE(find_path(chinese, "en", "ko") == TranslationPath{0, 2});
  REQUIRE(find_path({{"xx", "xx"}}, "ko", "en") == TranslationPath{0});
  REQUIRE(find_path(kModels, "xx", "en").empty());  // only a model's language may be unknown
  REQUIRE(find_path(kModels, "de", "xx").empty());
}

TEST_CASE("A language is translated into whatever a path leads to", "[serve]") {
  REQUIRE(languages_of(kModels) == Codes{"de", "en", "fr", "nl", "ko"});
  REQUIRE(targets_of(kModels, "de") == Codes{"en", "fr", "nl"});
  REQUIRE(targets_of(kModels, "en") == Codes{"fr", "ko"});
  REQUIRE(targets_of(kModels, "ko").empty());
}

}  // namespace nmt
