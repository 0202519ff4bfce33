#include "files/sha256.h"

#include "support/catch.h"
#include "support/temporary_folder.h"

namespace nmt {

TEST_CASE("SHA-256 gives the figures of FIPS 180-4", "[support]") {
  REQUIRE(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  REQUIRE(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  const TemporaryFolder folder;
  const std::string large(3'000'000, 'q');
  REQUIRE(sha256_of_file(folder.write("x", large)) == sha256(large));
}

TEST_CASE("A hash can be asked for on the way", "[support]") {
  Sha256 hash;
  REQUIRE(hash.hexadecimal() == sha256(""));
  hash.add("ab");
  REQUIRE(hash.hexadecimal() == sha256("ab"));
  hash.add("c");
  REQUIRE(hash.hexadecimal() == sha256("abc"));
}

}  // namespace nmt
