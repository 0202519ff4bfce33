#include "data/text_hashes.h"

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "files/file.h"
#include "files/sha256.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

/// What stands in the file of hashes for a text that has not changed.
std::string line_of(const std::filesystem::path& text, const std::string& hash, int64_t more = 0) {
  struct stat status {};
  REQUIRE(::stat(text.c_str(), &status) == 0);
  const auto changed = status.st_ctim.tv_sec * 1000000000 + status.st_ctim.tv_nsec;
  return hash + " " + std::to_string(status.st_size + more) + " " + std::to_string(status.st_ino) +
         " " + std::to_string(changed) + " " + text.string() + "\n";
}

const std::filesystem::path kLicense = NMT_SOURCE_DIR "/LICENSE";
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

TEST_CASE("Hashes are kept in a folder and believed while the text is the same", "[data]") {
  const TemporaryFolder folder;
  const auto hash = text_hash(kReadme, folder.path());
  REQUIRE(hash == sha256(read_file(kReadme)));
  keep_text_hashes(folder.path());
  REQUIRE(contains(read_file(folder / "text-hashes"), line_of(kReadme, hash)));

  const std::string made_up(64, 'e');
  folder.write("text-hashes", line_of(kLicense, made_up, 1));
  REQUIRE(text_hash(kLicense, folder.path()) == sha256(read_file(kLicense)));
}

TEST_CASE("A damaged file of hashes is as good as none", "[data]") {
  const TemporaryFolder folder;
  for (const char* content : {"", "\n\n", "abc", "ffff 1 2 3 /x\n", "\xFF\xFE 1"}) {
    folder.write("text-hashes", content);
    REQUIRE(text_hash(kReadme, folder.path()) == sha256(read_file(kReadme)));
  }
}

}  // namespace nmt
