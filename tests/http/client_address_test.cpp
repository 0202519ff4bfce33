#include "http/client_address.h"

#include "support/catch.h"

namespace nmt {
TEST_CASE("A client counts by its IPv4 address or its IPv6 network", "[http]") {
  CHECK(address_group("192.0.2.7") == "192.0.2.7");
  CHECK(address_group("2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::/64");
  CHECK(address_group("2001:db8:1:2::9") == "2001:db8:1:2::/64");
  CHECK(normalized_address("::ffff:192.0.2.7") == "192.0.2.7");
  CHECK(normalized_address("2001:DB8:0::1") == "2001:db8::1");
  CHECK(normalized_address("192.0.2.7 ").empty());
  CHECK(normalized_address("example.org").empty());
  CHECK(is_loopback("127.0.0.1"));
  CHECK(is_loopback("127.8.9.10"));
  CHECK(is_loopback("::1"));
  CHECK_FALSE(is_loopback("0.0.0.0"));
  CHECK_FALSE(is_loopback(""));
}

TEST_CASE("Only a host that public DNS may have can be one of DNS rebinding", "[http]") {
  for (const char* host :
       {"", "localhost", "localhost:8080", "nmt.localhost:8080", "127.0.0.1", "192.0.2.7:8080",
        "[::1]", "[2001:db8::1]:8080", "[::ffff:192.0.2.7]", "nmt:8080",
        "host.docker.internal:8080", "desk.local", "nmt.test", "localhost.:8080", "pc.LOCAL",
        "x.internal.", "nmt.home.arpa:8080", "home.arpa"}) {
    INFO(host);
    CHECK(is_private_host(host));
  }
  for (const char* host :
       {"evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example:80",
        "evil.example.", "evillocal.example", "127.0.0.1.", "evilhome.arpa"}) {
    INFO(host);
    CHECK_FALSE(is_private_host(host));
  }
}

}  // namespace nmt
