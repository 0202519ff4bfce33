#include "files/line_reader.h"

#include <zlib.h>

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  LineReader reader(path);
  for (std::string line; reader.next(line);) lines.push_back(line);
  REQUIRE(reader.line_number() == static_cast<int64_t>(lines.size()));
  return lines;
}

}  // namespace

TEST_CASE("Lines come without their ends, of any system", "[support]") {
  const TemporaryFolder folder;
  using Lines = std::vector<std::string>;
  REQUIRE(lines_of(folder.write("a", "one\ntwo\n")) == Lines{"one", "two"});
  REQUIRE(lines_of(folder.write("b", "one\r\n\r\ntwo")) == Lines{"one", "", "two"});
  REQUIRE(lines_of(folder.write("c", "\xEF\xBB\xBFone\n\n")) == Lines{"one", ""});
  REQUIRE(lines_of(folder.write("d", "")).empty());
  REQUIRE(lines_of(folder.write("e", "\n")) == Lines{""});
}

TEST_CASE("Lines longer than any buffer are whole", "[support]") {
  const TemporaryFolder folder;
  const std::string line(1'000'003, 'x');
  REQUIRE(lines_of(folder.write("a", line + "\n" + line)) == std::vector<std::string>{line, line});
}

TEST_CASE("Compressed text is told by its content, and damage is an error", "[support]") {
  const TemporaryFolder folder;
  const auto path = folder / "text";
  gzFile file = gzopen(path.c_str(), "wb");
  for (int i = 0; i < 20000; ++i) gzprintf(file, "line %d\n", i);
  gzclose(file);
  REQUIRE(lines_of(path).size() == 20000);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  LineReader reader(path);
  std::string line;
  const auto message = error_of([&] {
    while (reader.next(line)) {
    }
  });
  REQUIRE(reader.line_number() > 5000);
  REQUIRE(contains(message, "text: line " + std::to_string(reader.line_number() + 1) + ": cannot"));
  REQUIRE(contains(error_of([&] { reader.next(line); }), "cannot be read"));
  std::filesystem::resize_file(path, 8);
  REQUIRE(contains(error_of([&] { read_lines(path); }), "text: line 1: cannot be read"));
  const auto damaged = folder.write("damaged", "\x1F\x8B damaged\nand more\n");
  REQUIRE(contains(error_of([&] { lines_of(damaged); }), "damaged: line 1: cannot be read"));
  REQUIRE(contains(error_of([&] { LineReader(damaged).rest(); }), "cannot be read"));
  const std::string header("\x1F\x8B\x08\0\0\0\0\0\0\x03", 10);
  const auto start =
      folder.write("start", header + std::string(100, '\x07'));  // no such block type
  REQUIRE(contains(error_of([&] { lines_of(start); }), "start: line 1: cannot be read"));
  const auto empty = folder.write("empty", header + std::string("\x03\0\0\0\0\0\0\0\0\0", 10));
  REQUIRE(lines_of(empty).empty());
}

TEST_CASE("A file can be read from its middle, packed or not", "[support]") {
  const TemporaryFolder folder;
  const auto plain = folder.write("plain", "\xEF\xBB\xBFone\n\xEF\xBB\xBFtwo\nthree\nfour");
  const auto packed = folder / "packed";
  gzFile file = gzopen(packed.c_str(), "wb");
  gzputs(file, "\xEF\xBB\xBFone\n\xEF\xBB\xBFtwo\nthree\nfour");
  gzclose(file);
  for (const auto& path : {plain, packed}) {
    REQUIRE(text_size(path) == 24);
    REQUIRE(LineReader(path).is_compressed() == (path == packed));
    for (const auto& [byte, line] :
         std::vector<std::pair<int64_t, std::string>>{{6, "\xEF\xBB\xBFtwo"},
                                                      {7, "\xEF\xBB\xBFtwo"},
                                                      {8, "three"},
                                                      {14, "three"},
                                                      {15, "four"}}) {
      LineReader reader(path);
      reader.skip_to_line_from(byte);
      std::string found;
      REQUIRE(reader.next(found));
      REQUIRE(found == line);
      REQUIRE(reader.line_number() == 1);
    }
    LineReader reader(path);
    reader.skip_to_line_from(21);
    std::string none;
    REQUIRE_FALSE(reader.next(none));
  }
}

TEST_CASE("Bad UTF-8 names line and byte", "[support]") {
  const TemporaryFolder folder;
  const auto path = folder.write("a", "good\nb\xC3\x28\n");
  REQUIRE(contains(error_of([&] { read_lines(path); }), "a: line 2: byte 2 is not valid UTF-8"));
}

}  // namespace nmt
