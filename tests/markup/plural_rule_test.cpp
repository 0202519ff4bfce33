#include "markup/plural_rule.h"

#include "support/catch.h"
#include "translate/languages.h"

namespace nmt {

TEST_CASE("Languages have as many plural forms as gettext's manual says", "[markup]") {
  for (const auto& [language, forms] :
       std::initializer_list<std::pair<const char*, size_t>>{{"ko", 1},
                                                             {"ja", 1},
                                                             {"zh_TW", 1},
                                                             {"vi", 1},
                                                             {"en", 2},
                                                             {"de_AT", 2},
                                                             {"fr", 2},
                                                             {"ru", 3},
                                                             {"pl", 3},
                                                             {"cs", 3},
                                                             {"ro", 3},
                                                             {"lv", 3},
                                                             {"sl", 4},
                                                             {"ar", 6}}) {
    INFO(language);
    REQUIRE(find_plural_rule(language) != nullptr);
    CHECK(find_plural_rule(language)->forms == forms);
  }
  CHECK(find_plural_rule("pt")->expression == std::string("(n != 1)"));
  CHECK(find_plural_rule("pt-BR")->expression == std::string("(n > 1)"));
  CHECK(find_plural_rule("sr@latin")->forms == 3);
  for (const char* none : {"", "xx", "d", "DE AT", "_"}) CHECK(find_plural_rule(none) == nullptr);
}

TEST_CASE("The ending of a corpus names every language with plural forms", "[markup]") {
  for (const char* code : {"af", "be", "bs", "eu", "ga", "gl", "lo", "my", "nn", "de"}) {
    INFO(code);
    Settings settings;
    settings.data.train_target = {std::string("train.") + code};
    CHECK(guess_direction(settings, "model").target == code);
    CHECK(find_plural_rule(code) != nullptr);
  }
  Settings settings;
  settings.data.train_target = {"train.pt_BR"};
  const auto brazilian = guess_direction(settings, "model").target;
  CHECK(brazilian == "pt-BR");
  CHECK(find_plural_rule(brazilian)->expression == std::string("(n > 1)"));
}

}  // namespace nmt
