#include "serve/api_keys.h"

#include <string>
#include <vector>

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

using Catch::Matchers::ContainsSubstring;

// printf hello | sha256sum
const std::string kHello =
    "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const std::string kWorld =  // printf world | sha256sum
    "sha256:486ea46224d1bb4fb680f34f7c9ad96a8f24ec88be73ea8e5a6c65260e9cb8a7";

}  // namespace

TEST_CASE("A key file has names, hashes, last days and limits", "[serve]") {
  const TemporaryFolder folder;
  folder.write("keys", "# keys\n\nalice " + kHello + "\r\nbob-2 " + kWorld +
                           " expires=2027-01-31 requests=60 characters=20000\n");
  const ApiKeys keys(folder / "keys");
  REQUIRE(keys.required());
  const auto alice = keys.find("hello");
  REQUIRE(alice);
  CHECK(alice->name == "alice");
  CHECK(alice->limits.requests == 0);
  CHECK_FALSE(alice->is_expired("2999-01-01"));
  const auto bob = keys.find("world");
  REQUIRE(bob);
  CHECK(bob->limits.requests == 60);
  CHECK(bob->limits.characters == 20000);
  CHECK_FALSE(bob->is_expired("2027-01-31"));
  CHECK(bob->is_expired("2027-02-01"));
  CHECK_FALSE(keys.find(""));
  CHECK_FALSE(keys.find("Hello"));
  CHECK_FALSE(keys.find(kHello));
  CHECK_FALSE(keys.find(std::string(1 << 20, 'x')));
}

TEST_CASE("A bad key file is refused without showing what may be a key", "[serve]") {
  const TemporaryFolder folder;
  const auto file = folder / "keys";
  const auto message = [&](const std::string& text) {
    folder.write("keys", text);
    return error_of([&] { read_api_keys(file); });
  };
  const auto secret = message("alice " + kHello + "\nmy secret key\n");
  CHECK_THAT(secret, ContainsSubstring("line 2: not NAME sha256:HASH"));
  CHECK_THAT(secret, !ContainsSubstring("secret"));
  const std::vector<std::string> bad = {"alice",
                                        "alice sha256:",
                                        "alice sha256:12",
                                        "a/b " + kHello,
                                        std::string(65, 'a') + " " + kHello,
                                        "alice SHA256:" + kHello.substr(7),
                                        "alice " + kHello + "0",
                                        std::string("alice sha256:\0", 14),
                                        std::string(100000, 'x')};
  for (const auto& line : bad) {
    INFO(line.substr(0, 80));
    CHECK_THAT(message(line), ContainsSubstring("not NAME sha256:HASH"));
  }
  for (const std::string setting :
       {"expires=2027-02-29", "expires=27-1-1", "expires=", "expires=2027-01-3x", "requests=0",
        "requests=-1", "requests=1e3", "characters=99999999999", "requests", "limit=3", "="}) {
    INFO(setting);
    CHECK_THAT(message("alice " + kHello + " " + setting),
               ContainsSubstring("word 3: not expires"));
  }
  CHECK_THAT(message("a " + kHello + "\na " + kWorld), ContainsSubstring("line 2: this name"));
  CHECK_THAT(message("a " + kHello + "\nb " + kHello), ContainsSubstring("line 2: this name"));
  CHECK_THAT(message("# none\n"), ContainsSubstring("has no keys"));
}

TEST_CASE("A reload takes new keys, and keeps the old ones if the file is bad", "[serve]") {
  const TemporaryFolder folder;
  folder.write("keys", "alice " + kHello + "\n");
  ApiKeys keys(folder / "keys");
  folder.write("keys", "bob\n");
  keys.reload();
  CHECK(keys.find("hello"));
  folder.write("keys", "bob " + kWorld + "\n");
  keys.reload();
  CHECK(keys.find("world"));
  CHECK_FALSE(keys.find("hello"));
}

TEST_CASE("A new key is random and found by its line", "[serve]") {
  const auto key = make_api_key();
  CHECK(key.size() == 4 + 64);
  CHECK(key != make_api_key());
  const TemporaryFolder folder;
  folder.write("keys", api_key_line("alice", key) + "\n");
  CHECK(ApiKeys(folder / "keys").find(key)->name == "alice");
  CHECK(api_key_line("alice", "hello") == "alice " + kHello);
  CHECK_THROWS_AS(api_key_line("a b", key), UsageError);
  CHECK_THROWS_AS(api_key_line("", key), UsageError);
}

}  // namespace nmt
