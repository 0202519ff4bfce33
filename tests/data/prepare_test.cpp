#include "data/prepare.h"

#include <zlib.h>

#include "data/sample_corpus.h"
#include "support/expect_error.h"
#include "support/file.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

std::vector<int32_t> tokens_of(const TokenSpan& span) { return {span.begin(), span.end()}; }

std::filesystem::path only_file_in(const std::filesystem::path& folder) {
  return std::filesystem::directory_iterator(folder)->path();
}

bool same(const ParallelCorpus& a, const ParallelCorpus& b) {
  bool equal = a.size() == b.size();
  for (int64_t i = 0; equal && i < a.size(); ++i) {
    equal = tokens_of(a.source(i)) == tokens_of(b.source(i)) &&
            tokens_of(a.target(i)) == tokens_of(b.target(i)) && a.line(i) == b.line(i);
  }
  return equal;
}

}  // namespace

TEST_CASE("A prepared corpus holds every pair's tokens in order", "[data]") {
  PreparedText prepared(9000);
  prepared.request.threads = 3;
  const auto corpus = prepared.prepare();
  REQUIRE(corpus.size() == 9000);
  for (const int64_t i : {0, 1, 4095, 4096, 8999}) {
    REQUIRE(tokens_of(corpus.source(i)) ==
            prepared.source->encode(prepared.text.source[static_cast<size_t>(i)]));
    REQUIRE(tokens_of(corpus.target(i)) ==
            prepared.target->encode(prepared.text.target[static_cast<size_t>(i)]));
    REQUIRE(corpus.line(i) == i + 1);
  }
}

TEST_CASE("Empty, over-long and lopsided pairs are dropped and counted", "[data]") {
  PreparedText prepared(50);
  auto& text = prepared.text;
  text.source[3] = "";
  text.target[7] = "   ";
  for (int i = 0; i < 90; ++i) text.source[11] += " miru";
  text.source[20] = "ba";
  text.target[20] = join_lines(std::vector<std::string>(30, "lox"));
  std::replace(text.target[20].begin(), text.target[20].end(), '\n', ' ');
  prepared.folder.write("source", join_lines(text.source));
  prepared.folder.write("target", join_lines(text.target));
  prepared.request.max_length = 80;
  prepared.request.max_ratio = 9;
  const auto corpus = prepared.prepare();
  const auto& report = corpus.report();
  REQUIRE(report.lines == 50);
  REQUIRE(report.empty == 2);
  REQUIRE(report.too_long == 1);
  REQUIRE(report.over_ratio == 1);
  REQUIRE(report.kept == 46);
  REQUIRE(corpus.line(3) == 5);
  REQUIRE(contains(to_text(report), "46 of 50"));
}

TEST_CASE("The cache is used again, and built anew when anything it depends on changes", "[data]") {
  PreparedText prepared(30);
  const auto first = prepared.prepare();
  const auto file = only_file_in(prepared.request.cache_dir);
  const auto written = std::filesystem::last_write_time(file);
  REQUIRE(same(first, prepared.prepare()));
  REQUIRE(std::filesystem::last_write_time(file) == written);
  prepared.request.max_length = 9;
  REQUIRE(prepared.prepare().size() < 30);
  prepared.request.max_length = 100;
  prepared.text.source[0] = "du du du";
  prepared.folder.write("source", join_lines(prepared.text.source));
  REQUIRE(tokens_of(prepared.prepare().source(0)) == prepared.source->encode("du du du"));
}

TEST_CASE("A damaged cache is built anew", "[data]") {
  PreparedText prepared(30);
  const auto first = prepared.prepare();
  const auto file = only_file_in(prepared.request.cache_dir);
  const auto bytes = read_file(file);
  for (const size_t size :
       {size_t{0}, size_t{5}, size_t{100}, bytes.size() / 2, bytes.size() - 1}) {
    write_file_atomically(file, bytes.substr(0, size));  // `first` keeps the file it maps
    REQUIRE(same(first, prepared.prepare()));
  }
  auto wrong_offset = bytes;
  wrong_offset[bytes.size() - 30 * 4 - 8 * 20] = '\x7F';
  write_file_atomically(file, wrong_offset);
  REQUIRE(same(first, prepared.prepare()));
}

TEST_CASE("Compressed text is the same text", "[data]") {
  PreparedText prepared(40);
  const auto plain = prepared.prepare();
  const auto path = prepared.folder / "source.gz";
  const auto content = read_file(prepared.request.source_path);
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
  prepared.request.source_path = path;
  REQUIRE(same(plain, prepared.prepare()));
}

TEST_CASE("A corpus with nothing left is an error", "[data]") {
  PreparedText prepared(5);
  prepared.request.max_length = 1;
  prepared.folder.write("source", "ba lo\nba lo\nba lo\nba lo\nba lo\n");
  REQUIRE(contains(error_of([&] { prepared.prepare(); }), "no pair is left"));
}

}  // namespace nmt
