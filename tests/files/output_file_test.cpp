#include "files/output_file.h"

#include "files/file.h"
#include "files/line_reader.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {

TEST_CASE("An output gets its name when it is whole, compressed where the name asks for it",
          "[support]") {
  const TemporaryFolder folder;
  for (const auto* name : {"text", "text.gz", "text.GZ"}) {
    const auto path = folder / name;
    {
      OutputFile cut_short(path);
      cut_short.write("one\n");
    }
    REQUIRE(std::filesystem::is_empty(folder.path()));
    OutputFile output(path);
    output.write("one\n");
    output.write(std::string(100000, 'a') + "\n");
    REQUIRE_FALSE(std::filesystem::exists(path));
    output.finish();
    REQUIRE(LineReader(path).rest() == "one\n" + std::string(100000, 'a') + "\n");
    REQUIRE((std::filesystem::file_size(path) < 1000) == (path.extension() != ""));
    std::filesystem::remove(path);
  }
  for (const auto* name : {"absent/text", "absent/text.gz"}) {
    REQUIRE(contains(error_of([&] { OutputFile(folder / name); }), "cannot be written"));
  }
}

TEST_CASE("A full disk is noticed", "[support]") {
  // Compressed text waits in memory, so that only the end meets the device.
  const TemporaryFolder folder;
  for (const auto* name : {"full", "full.gz"}) {
    std::filesystem::create_symlink("/dev/full", folder / name);
    OutputFile output(folder / name);
    const auto error = error_of([&] {
      output.write("text");
      output.finish();
    });
    REQUIRE(contains(error, "No space left on device"));
  }
}

}  // namespace nmt
