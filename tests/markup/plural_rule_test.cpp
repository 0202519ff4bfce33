#include "markup/plural_rule.h"

#include "support/catch.h"

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

}  // namespace nmt
