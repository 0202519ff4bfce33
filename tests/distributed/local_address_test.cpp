#include "distributed/local_address.h"

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

TEST_CASE("This machine reaches itself by its loopback address") {
  CHECK(local_address_towards("127.0.0.1", /*for_others=*/false) == "127.0.0.1");
}

TEST_CASE("A name that nobody knows is an error that says what to set") {
  const auto message = error_of([] { local_address_towards("no-such-host.invalid", false); });
  CHECK_THAT(message, Catch::Matchers::ContainsSubstring("no-such-host.invalid") &&
                          Catch::Matchers::ContainsSubstring("MASTER_ADDR"));
}

}  // namespace
}  // namespace nmt
