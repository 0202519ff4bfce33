// What tests/support/catch.h promises of SKIP, checked by skip_test.sh.
#include "support/catch.h"

TEST_CASE("One that is skipped", "[skipped]") {
  SKIP("no " << 7 << " moons");
  FAIL("went on");
}

TEST_CASE("One that passes", "[passed]") { CHECK(true); }

TEST_CASE("One that fails", "[.][failed]") { FAIL("as it should"); }
