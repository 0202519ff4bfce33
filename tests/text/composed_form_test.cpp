#include "text/composed_form.h"

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {

TEST_CASE("Letters with their marks apart are not composed", "[unicode]") {
  CHECK(is_composed("cafe"));
  CHECK(is_composed("caf\u00E9 \u1EB9\u0301 हिन्दी กำ"));
  CHECK_FALSE(is_composed("cafe\u0301"));
  CHECK_FALSE(is_composed("\u1112\u1161\u11AB"));
}

TEST_CASE("Translations and references in different forms are named", "[unicode]") {
  const std::string composed = "caf\u00E9";
  const std::string decomposed = "cafe\u0301";
  CHECK(composed_form_warning({composed, "a"}, {"b", composed}).empty());
  CHECK(composed_form_warning({decomposed, "a"}, {"b", decomposed}).empty());
  CHECK(composed_form_warning({}, {}).empty());
  CHECK(contains(composed_form_warning({decomposed, "a"}, {composed, "a"}),
                 "50 % of the references and 0 % of the translations are not in Unicode's"));
  CHECK(contains(composed_form_warning({composed}, {decomposed}),
                 "0 % of the references and 100 % of the translations"));
}

}  // namespace nmt
