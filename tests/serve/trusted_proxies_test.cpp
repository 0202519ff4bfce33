#include "serve/trusted_proxies.h"

#include "errors/error.h"
#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

std::string client_behind(const TrustedProxies& proxies, const std::string& peer,
                          const std::string& forwarded_for) {
  HttpRequest request;
  request.peer_address = peer;
  request.headers["x-forwarded-for"] = forwarded_for;
  return proxies.client_of(request);
}

std::string address_of(const std::string& peer, const std::string& forwarded_for) {
  return client_behind(TrustedProxies({"10.0.0.1", "10.0.0.2", "2001:db8::1"}), peer,
                       forwarded_for);
}

}  // namespace

TEST_CASE("A network of trusted proxies ends at its last address", "[serve]") {
  const TrustedProxies proxies({"10.1.0.0/16", "192.0.2.128/25", "203.0.113.7", "fd00::/8",
                                "2001:db8:1:8000::/49", "::ffff:198.51.100.0/120"});
  for (const char* address :
       {"10.1.0.0", "10.1.255.255", "192.0.2.128", "192.0.2.255", "203.0.113.7",
        "fd00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "2001:db8:1:8000::", "2001:db8:1:ffff::1", "198.51.100.0", "198.51.100.255"}) {
    INFO(address);
    CHECK(proxies.contain(address));
  }
  for (const char* address :
       {"10.0.255.255", "10.2.0.0", "192.0.2.127", "203.0.113.6", "fcff::1",
        "fe00::", "2001:db8:1:7fff::1", "2001:db8:2::", "198.51.101.0", "::a01:1", "", "unknown"}) {
    INFO(address);
    CHECK_FALSE(proxies.contain(address));
  }
  CHECK_FALSE(TrustedProxies({}).contain("127.0.0.1"));
  CHECK(TrustedProxies({"0.0.0.0/0"}).contain("127.0.0.1"));
  CHECK_FALSE(TrustedProxies({"0.0.0.0/0"}).contain("::1"));
  CHECK(TrustedProxies({"fe80::/10"}).contain("fe80::1%1"));
}

TEST_CASE("Only trusted proxies say whom they forward", "[serve]") {
  CHECK(address_of("192.0.2.7", "") == "192.0.2.7");
  CHECK(address_of("192.0.2.7", "198.51.100.1") == "192.0.2.7");
  CHECK(address_of("10.0.0.1", "") == "10.0.0.1");
  CHECK(address_of("10.0.0.1", "198.51.100.1") == "198.51.100.1");
  CHECK(address_of("10.0.0.1", "198.51.100.1, 10.0.0.2") == "198.51.100.1");
  CHECK(address_of("2001:db8::1", "::ffff:198.51.100.1") == "198.51.100.1");
}

TEST_CASE("A forwarded address may have a port", "[serve]") {
  CHECK(address_of("10.0.0.1", "198.51.100.1:50001") == "198.51.100.1");
  CHECK(address_of("10.0.0.1", "198.51.100.1:50001, 10.0.0.2:443") == "198.51.100.1");
  CHECK(address_of("10.0.0.1", "[2001:db8::7]:50001, [2001:db8::1]:443") == "2001:db8::7");
  CHECK(address_of("10.0.0.1", "[2001:db8::7]") == "2001:db8::7");
  CHECK(address_of("10.0.0.1", "2001:db8::7") == "2001:db8::7");
}

TEST_CASE("A client that a trusted proxy does not name has no address", "[serve]") {
  for (const std::string entry : {"unknown", " ,,, ", ":80", "[", "[]:80", "198.51.100.1:1:1"}) {
    INFO(entry);
    CHECK(address_of("10.0.0.1", entry).empty());
    CHECK(address_of("10.0.0.1", "198.51.100.1, " + entry).empty());
  }
  CHECK(address_of("10.0.0.1", std::string(10000, ',')).empty());
}

TEST_CASE("What a client writes into X-Forwarded-For itself changes nothing", "[serve]") {
  CHECK(address_of("10.0.0.1", "127.0.0.1, 198.51.100.1") == "198.51.100.1");
  CHECK(address_of("10.0.0.1", "127.0.0.1, 10.0.0.2, 198.51.100.1") == "198.51.100.1");
  CHECK(address_of("10.0.0.1", "unknown, 198.51.100.1") == "198.51.100.1");
}

TEST_CASE("The client is the last address that no trusted network has", "[serve]") {
  const TrustedProxies proxies({"10.0.0.0/8"});
  CHECK(client_behind(proxies, "192.0.2.7", "198.51.100.1") == "192.0.2.7");
  CHECK(client_behind(proxies, "10.0.0.1", "") == "10.0.0.1");
  CHECK(client_behind(proxies, "10.0.0.1", "127.0.0.1, 198.51.100.1, 10.9.9.9, 10.3.0.2") ==
        "198.51.100.1");
  CHECK(client_behind(proxies, "10.0.0.1", "10.0.0.2, 10.0.0.1") == "10.0.0.2");
  std::string chain = "198.51.100.1";
  for (int i = 0; i < 100; ++i) chain += ", 10.0.1." + std::to_string(i);
  CHECK(client_behind(proxies, "10.0.0.1", chain) == "10.0.1.84");  // after 16 proxies
}

TEST_CASE("What is neither an address nor a network is no trusted proxy", "[serve]") {
  for (const std::string proxy :
       {"", "/", "/8", "example.org", "10.0.0.1:80", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1",
        "10.0.0.0/+8", "10.0.0.0/ 8", "10.0.0.0/8/8", "10.0.0.0/4294967304", "10.0.0/8",
        "10.0.0.0/255.0.0.0", "fd00::/129", "fe80::1%1"}) {
    INFO(proxy);
    CHECK_THROWS_AS(TrustedProxies({proxy}), UsageError);
  }
  CHECK(error_of([] { TrustedProxies({"10.0.0.0/33"}); }) ==
        "--trusted-proxy: 10.0.0.0/33: neither an IP address nor a network; use one such as "
        "10.0.0.2 or 10.0.0.0/8");
  CHECK(error_of([] { TrustedProxies({"10.0.0.1/8"}); }) ==
        "--trusted-proxy: 10.0.0.1/8: the address has bits after the first 8; use 10.0.0.1 or the "
        "network's first address");
}

}  // namespace nmt
