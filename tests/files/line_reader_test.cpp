#include "files/line_reader.h"

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "files/file.h"
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

TEST_CASE("What does not begin as UTF-8 text is refused", "[support]") {
  using std::string_literals::operator""s;
  const TemporaryFolder folder;
  const std::pair<std::string, const char*> files[] = {
      {"PK\x03\x04 and more\n", "a ZIP archive, not text; convert it"},
      {"%PDF-1.4\n%\xE2\xE3\n", "a PDF, not text; convert it"},
      {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "a file of an old office program such as .doc"},
      {"\xFD\x37zXZ\0\0\x04"s, "compressed, but not with gzip; decompress it with xz -d"},
      {"\x28\xB5\x2F\xFD\x04\n", "compressed, but not with gzip; decompress it with zstd -d"},
      {"BZh91AY&SY\n", "compressed, but not with gzip; decompress it with bzip2 -d"},
      {"one\rtwo\rthree\r", "its lines end with CR alone; convert it"},
      {"\xFF\xFEh\0i\0\n\0"s, "UTF-16 or UTF-32, not UTF-8; convert it"},
      {"\xFE\xFF\0h\0i\0\n"s, "UTF-16 or UTF-32, not UTF-8; convert it"},
      {"\xFF\xFE\0\0h\0\0\0"s, "UTF-16 or UTF-32, not UTF-8; convert it"},
      {"\0\0\xFE\xFF\0\0\0h"s, "has many NUL bytes"},
      {"h\0i\0\n\0"s, "has many NUL bytes"}};
  for (const auto& [content, reason] : files) {
    LineReader reader(folder.write("text", content));
    INFO(content);
    CHECK(contains(error_of([&] { reader.require_text(); }), "text: "s + reason));
    CHECK(contains(error_of([&] { read_lines(folder / "text"); }), reason));
  }
  for (const auto* text : {"one", "one\r", "a\rb\r\n", "see %PDF-\n"}) {
    LineReader(folder.write("text", text)).require_text();
  }
  const auto damaged = folder.write("text", "caf\xE9\nPK\n" + std::string(100, 'x') + "\0"s);
  LineReader reader(damaged);
  reader.require_text();
  CHECK(reader.position() == 0);
  CHECK(lines_of(damaged) ==
        std::vector<std::string>{"caf\xE9", "PK", std::string(100, 'x') + "\0"s});
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

TEST_CASE("All members of compressed text are read, and damage to any is an error", "[support]") {
  const TemporaryFolder folder;
  const auto packed = [&](const std::string& text) {
    const auto path = folder / "member";
    gzFile file = gzopen(path.c_str(), "wb");
    gzputs(file, text.c_str());
    gzclose(file);
    return read_file(path);
  };
  const auto first = packed("one\ntw");
  const auto second = packed("o\nthree\n");
  using Lines = std::vector<std::string>;
  const Lines all{"one", "two", "three"};
  REQUIRE(lines_of(folder.write("two", first + second)) == all);
  REQUIRE(lines_of(folder.write("padded", first + second + std::string(1000, '\0'))) == all);
  REQUIRE(lines_of(folder.write("gap", first + std::string(3, '\0') + second)) == all);

  // What is intact comes first.
  const auto damaged = [&](const std::string& bytes) {
    LineReader reader(folder.write("damaged", bytes));
    Lines lines;
    std::string line;
    const auto message = error_of([&] {
      while (reader.next(line)) lines.push_back(line);
    });
    REQUIRE(!lines.empty());
    REQUIRE(std::equal(lines.begin(), lines.end(), all.begin()));
    const auto failed = std::to_string(lines.size() + 1);
    REQUIRE(contains(message, "damaged: line " + failed + ": cannot be read: "));
    return message;
  };
  // In turn: the second member's first byte, its data, its checksum and its length.
  for (const size_t place : {size_t{0}, size_t{10}, second.size() - 8, second.size() - 4}) {
    auto changed = second;
    changed[place] = static_cast<char>(changed[place] ^ 7);
    CAPTURE(place);
    damaged(first + changed);
  }
  for (size_t size = 1; size < second.size(); ++size) {
    CAPTURE(size);
    REQUIRE(contains(damaged(first + second.substr(0, size)), "truncated gzip data"));
  }
  REQUIRE(contains(damaged(first + "text"), "incorrect header check"));
}

TEST_CASE("Compressed text can come through a pipe", "[support]") {
  const TemporaryFolder folder;
  const auto text = folder.write("text", "one\ntwo\n");
  const auto pipe = folder / "pipe";
  REQUIRE(::system(("gzip " + text.string() + " && mkfifo " + pipe.string() + " && (head -c 1 " +
                    text.string() + ".gz; sleep 0.05; tail -c +2 " + text.string() + ".gz) > " +
                    pipe.string() + " &")
                       .c_str()) == 0);
  while (!std::filesystem::exists(pipe)) std::this_thread::yield();
  REQUIRE(lines_of(pipe) == std::vector<std::string>{"one", "two"});
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
