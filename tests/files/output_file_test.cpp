#include "files/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <exception>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "files/file.h"
#include "files/line_reader.h"
#include "files/part_file.h"
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

TEST_CASE("Of two that write one output, the second is refused", "[files]") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("target", folder / "link");
  for (const auto* name : {"text", "text.gz", "link"}) {
    INFO(name);
    OutputFile first(folder / name);
    first.write("one\n");
    CHECK(
        contains(error_of([&] { OutputFile(folder / name); }), ".partial: in use by another nmt"));
    first.write("two\n");
    first.finish();
    CHECK(LineReader(folder / name).rest() == "one\ntwo\n");
    OutputFile(folder / name).write("three\n");
    CHECK(LineReader(folder / name).rest() == "one\ntwo\n");
  }
  const auto entries = std::filesystem::directory_iterator(folder.path());
  CHECK(std::distance(begin(entries), end(entries)) == 4);
}

TEST_CASE("Of many that write one output, each that ends has written all of it", "[files]") {
  const TemporaryFolder folder;
  const std::string half(1000, 'a');
  const auto check = [&](const std::filesystem::path& path) {
    if (std::filesystem::exists(path) && LineReader(path).rest() != half + half) {
      throw Error("not whole");
    }
  };
  const std::function<void()> ways[] = {
      [&] {
        OutputFile output(folder / "x.gz");
        output.write(half);
        output.write(half);
        check(folder / "x.gz");
        output.finish();
      },
      [&] {
        PartFile part(folder / "x");
        part.cut(0);
        part.write(half);
        part.save(false);
        part.write(half);
        check(folder / "x");
        part.save(false);
        part.finish();
      },
      [&] {
        const int descriptor = open_unfinished(folder / "z.partial", folder / "z");
        struct stat opened {};
        struct stat named {};
        const bool same = ::fstat(descriptor, &opened) == 0 &&
                          ::stat((folder / "z.partial").c_str(), &named) == 0 &&
                          opened.st_ino == named.st_ino;
        std::filesystem::rename(folder / "z.partial", folder / "z");
        ::close(descriptor);
        if (!same) throw Error("another's file");
      }};
  for (const auto& write : ways) {
    std::vector<std::string> problems(4);
    std::vector<std::thread> writers;
    for (auto& problem : problems) {
      writers.emplace_back([&] {
        for (int i = 0; i < 50; ++i) {
          try {
            write();
          } catch (const std::exception& error) {
            if (!contains(error.what(), "in use by another nmt")) problem = error.what();
          }
        }
      });
    }
    for (auto& writer : writers) writer.join();
    for (const auto& problem : problems) CHECK(problem == "");
  }
  const auto entries = std::filesystem::directory_iterator(folder.path());
  CHECK(std::distance(begin(entries), end(entries)) == 3);
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
