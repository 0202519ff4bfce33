#include "data/text_hashes.h"

#include <filesystem>

#include "files/file.h"
#include "files/sha256.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

const std::filesystem::path kReadme = NMT_SOURCE_DIR "/README.md";

}  // namespace

TEST_CASE("A text's hash is that of its content, also after it has changed", "[data]") {
  const TemporaryFolder folder;
  const auto text = folder.write("text", "one\n");
  REQUIRE(text_hash(text) == sha256("one\n"));
  folder.write("text", "two\n");  // within a tick of the clock, of the same size
  REQUIRE(text_hash(text) == sha256("two\n"));
  REQUIRE(contains(error_of([&] { text_hash(folder / "absent"); }), "absent"));
}

TEST_CASE("A text's hash is known while the text is the same", "[data]") {
  REQUIRE(text_hash(kReadme) == sha256(read_file(kReadme)));
  REQUIRE(text_hash(kReadme) == sha256(read_file(kReadme)));
}

}  // namespace nmt
