#include "numbers/byte_size.h"

#include "support/catch.h"

namespace nmt {

TEST_CASE("A size of memory is a whole number with a binary unit", "[numbers]") {
  CHECK(parse_byte_size("1000") == 1000U);
  CHECK(parse_byte_size("3b") == 3U);
  CHECK(parse_byte_size("2K") == 2048U);
  CHECK(parse_byte_size("800M") == 800U << 20);
  CHECK(parse_byte_size("64 MiB") == 64U << 20);
  CHECK(parse_byte_size("2gb") == 2ULL << 30);
  CHECK(parse_byte_size("1T") == 1ULL << 40);
  for (const char* text : {"", "G", "many", "1.5G", "-1G", "2X", "2GG", "G2", "99999999999T"}) {
    INFO(text);
    CHECK_FALSE(parse_byte_size(text).has_value());
  }
}

}  // namespace nmt
