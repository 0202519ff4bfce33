#include "support/file.h"

#include <ostream>

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/output_file.h"
#include "support/temporary_folder.h"

namespace nmt {

TEST_CASE("A file written is the file read, whatever its bytes", "[support]") {
  const TemporaryFolder folder;
  const std::string bytes("a\0b\r\n\xFF", 6);
  write_file_atomically(folder / "x", bytes);
  REQUIRE(read_file(folder / "x") == bytes);
  write_file_atomically(folder / "x", "shorter");
  REQUIRE(read_file(folder / "x") == "shorter");
}

TEST_CASE("A write that fails leaves the old file and nothing else", "[support]") {
  const TemporaryFolder folder;
  write_file_atomically(folder / "x", "old");
  REQUIRE_THROWS(write_file_atomically(folder / "x", [](std::ostream& stream) {
    stream << "half";
    throw Error("stop");
  }));
  REQUIRE(read_file(folder / "x") == "old");
  const auto entries = std::filesystem::directory_iterator(folder.path());
  REQUIRE(std::distance(begin(entries), end(entries)) == 1);
}

TEST_CASE("Files that cannot be are named with the reason", "[support]") {
  const TemporaryFolder folder;
  REQUIRE(contains(error_of([&] { read_file(folder / "absent"); }),
                   "absent: cannot be read: No such file"));
  REQUIRE(contains(error_of([&] { read_file(folder.path()); }), "is a folder"));
  REQUIRE(contains(error_of([&] { write_file_atomically(folder / "no/x", "a"); }),
                   "no/x: cannot be written"));
}

TEST_CASE("An output file that is not finished keeps its partial name", "[support]") {
  const TemporaryFolder folder;
  { OutputFile(folder / "x").write("half"); }
  REQUIRE_FALSE(std::filesystem::exists(folder / "x"));
  REQUIRE(read_file(folder / "x.partial") == "half");
  OutputFile whole(folder / "x");
  whole.write("all");
  whole.finish();
  REQUIRE(read_file(folder / "x") == "all");
}

}  // namespace nmt
