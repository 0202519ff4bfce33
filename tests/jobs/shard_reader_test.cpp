#include "jobs/shard_reader.h"

#include <zlib.h>

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::filesystem::path& path, const Shard& shard) {
  Lines lines;
  ShardReader reader(path, shard);
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

std::filesystem::path compressed(const TemporaryFolder& folder, const std::string& text) {
  const auto path = folder / "text.gz";
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return path;
}

/// Lines of very unequal length, more than a reader's buffer.
std::string uneven_text() {
  std::string text =
      "\xEF\xBB\xBF"
      "first\n\n\r\n";
  for (size_t i = 0; i < 300; ++i) text += std::to_string(i) + std::string(i * i / 10, 'x') + "\n";
  return text + std::string(100000, 'y') + "\nlast, without an end";
}

}  // namespace

TEST_CASE("The shards of a text have each of its lines once, in order", "[translate]") {
  const TemporaryFolder folder;
  for (const auto& text : {uneven_text(), std::string("a\nb\nc\n"), std::string("one line"),
                           std::string("\n\n\n\n"), std::string()}) {
    const auto path = folder.write("text", text);
    const auto packed = compressed(folder, text);
    const auto whole = lines_of(path, {1, 1});
    for (const int64_t count : {1, 2, 3, 7, 40, 1000}) {
      Lines together;
      bool same_packed = true;
      bool counted = true;
      for (int64_t i = 1; i <= count; ++i) {
        const auto lines = lines_of(path, {i, count});
        if (count <= 7) same_packed = same_packed && lines_of(packed, {i, count}) == lines;
        if (count <= 40) {
          const auto counts = count_lines(path, {i, count});
          counted = counted && counts.all == static_cast<int64_t>(whole.size()) &&
                    counts.before == static_cast<int64_t>(together.size());
        }
        together.insert(together.end(), lines.begin(), lines.end());
      }
      CHECK(together == whole);
      CHECK(same_packed);
      CHECK(counted);
    }
  }
}

TEST_CASE("Shards are of like size, and one that no line begins in is empty", "[translate]") {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "0123456\n";
  const auto path = folder.write("text", text);
  for (int64_t i = 1; i <= 10; ++i) REQUIRE(lines_of(path, {i, 10}).size() == 100);
  const auto few = folder.write("few", "a long line\nanother\n");
  REQUIRE(lines_of(few, {1, 4}) == Lines{"a long line"});
  REQUIRE(lines_of(few, {2, 4}).empty());
  REQUIRE(lines_of(few, {3, 4}) == Lines{"another"});
  REQUIRE(lines_of(few, {4, 4}).empty());
}

TEST_CASE("A shard is two whole numbers, the first no larger than the second", "[translate]") {
  REQUIRE(parse_shard("3/8").index == 3);
  REQUIRE(parse_shard("3/8").count == 8);
  REQUIRE(parse_shard("1/1").is_whole());
  for (const char* wrong : {"", "/", "3", "3/", "/8", "0/3", "4/3", "-1/3", "a/b", "1/0", "1/3x",
                            "1/ 3", "+1/3", "1.0/3", "1/1000001", "1/99999999999999999999"}) {
    INFO(wrong);
    CHECK(contains(error_of([&] { parse_shard(wrong); }), "use I/N"));
  }
}

}  // namespace nmt
