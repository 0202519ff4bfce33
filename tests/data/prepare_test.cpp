#include "data/prepare.h"

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "data/corpus_cache.h"
#include "data/corpus_shard.h"
#include "data/sample_corpus.h"
#include "files/file.h"
#include "support/expect_error.h"
#include "support/thread_limit.h"
#include "support/torch_catch.h"
#include "text/placeholders.h"
#include "text/special_tokens.h"
#include "text/target_languages.h"
#include "unicode/letter_case.h"

namespace nmt {
namespace {

std::vector<int32_t> tokens_of(const TokenSpan& span) { return {span.begin(), span.end()}; }

/// Name and content of every file of a corpus's cache.
std::map<std::string, std::string> files_of(const ParallelCorpus& corpus) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(corpus.folder())) {
    files[entry.path().filename().string()] = read_file(entry.path());
  }
  return files;
}

std::filesystem::path first_shard(const ParallelCorpus& corpus) {
  return shard_file(corpus.folder(), 0);
}

bool same(const ParallelCorpus& a, const ParallelCorpus& b) {
  bool equal = a.size() == b.size();
  for (int64_t i = 0; equal && i < a.size(); ++i) {
    equal = tokens_of(a.source(i)) == tokens_of(b.source(i)) &&
            tokens_of(a.target(i)) == tokens_of(b.target(i));
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
  }
}

TEST_CASE("Empty, over-long and lopsided pairs are dropped and counted", "[data]") {
  PreparedText prepared(50);
  auto& text = prepared.text;
  text.source[3] = "";
  text.target[7] = "   ";
  for (int i = 0; i < 200; ++i) text.source[11] += " miru";
  text.source[20] = "ba";
  text.target[20] = join_lines(std::vector<std::string>(30, "lox"));
  std::replace(text.target[20].begin(), text.target[20].end(), '\n', ' ');
  prepared.folder.write("source", join_lines(text.source));
  prepared.folder.write("target", join_lines(text.target));
  prepared.request.max_length = 150;
  prepared.request.max_ratio = 9;
  const auto corpus = prepared.prepare();
  const auto& report = corpus.report();
  REQUIRE(report.lines == 50);
  REQUIRE(report.empty == 2);
  REQUIRE(report.too_long == 1);
  REQUIRE(report.over_ratio == 1);
  REQUIRE(report.kept == 46);
  REQUIRE(tokens_of(corpus.source(3)) == prepared.source->encode(text.source[4]));
  REQUIRE(contains(to_text(report), "46 of 50"));
}

TEST_CASE("Tokens that a vocabulary does not know are counted on each side", "[data]") {
  PreparedText prepared(50);
  REQUIRE_FALSE(contains(to_text(prepared.prepare().report()), "unknown"));
  for (auto& line : prepared.text.target) line = "저는 책을 읽어요";
  prepared.folder.write("target", join_lines(prepared.text.target));
  const auto corpus = prepared.prepare();
  int64_t unknown = 0;
  for (int64_t i = 0; i < corpus.size(); ++i) {
    for (const int32_t token : corpus.target(i)) unknown += token == kUnknownId ? 1 : 0;
  }
  const auto& report = corpus.report();
  REQUIRE(report.source_unknown == 0);
  REQUIRE(report.target_unknown == unknown);
  REQUIRE(unknown_percent(unknown, report.target_tokens) > kManyUnknownPercent);
  REQUIRE(contains(to_text(report), "  unknown-target "));
  REQUIRE_FALSE(contains(to_text(report), "unknown-source"));
  auto both = report;
  both += report;
  REQUIRE(both.target_unknown == 2 * unknown);
}

TEST_CASE("Held-out sentences on either side leave out the pair, and are counted", "[data]") {
  PreparedText prepared(50);
  auto& text = prepared.text;
  text.source[3] = "Held out: one.";
  text.target[7] = "held OUT one";
  prepared.folder.write("source", join_lines(text.source));
  prepared.folder.write("target", join_lines(text.target));
  prepared.request.sampling = {0.1, 0.1, 5};
  const auto all = prepared.prepare();
  prepared.request.held_out.insert("held out – one");
  const auto corpus = prepared.prepare();
  REQUIRE(corpus.size() == 48);
  REQUIRE(corpus.report().held_out == 2);
  REQUIRE(contains(to_text(corpus.report()), "held-out 2 (repeated sentences included)"));
  // What is drawn for the other lines stays.
  REQUIRE(tokens_of(corpus.source(3)) == tokens_of(all.source(4)));
  REQUIRE(tokens_of(corpus.target(47)) == tokens_of(all.target(49)));
}

TEST_CASE("The cache is used again, and built anew when anything it depends on changes", "[data]") {
  PreparedText prepared(30);
  const auto first = prepared.prepare();
  const auto file = first_shard(first);
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

TEST_CASE("The cache of a private text is private", "[data]") {
  using std::filesystem::perms;
  PreparedText prepared(10);
  std::filesystem::permissions(prepared.request.target_path, perms::owner_read);
  const auto corpus = prepared.prepare();
  REQUIRE(std::filesystem::status(corpus.folder()).permissions() == perms::owner_all);
}

TEST_CASE("Another vocabulary makes another cache", "[data]") {
  PreparedText prepared(30);
  const auto first = prepared.prepare();
  *prepared.target = train_on(prepared.request.target_path, 31);
  const auto second = prepared.prepare();
  REQUIRE_FALSE(same(first, second));
  REQUIRE(tokens_of(second.target(7)) == prepared.target->encode(prepared.text.target[7]));
}

TEST_CASE("Caches that no corpus uses are removed, other files stay", "[data]") {
  PreparedText prepared(50);
  const auto first = prepared.prepare();
  prepared.request.max_length = 90;
  const auto second = prepared.prepare();
  const auto& cache = prepared.request.cache_dir;
  write_file_atomically(cache / "0123.corpus.tmp77", "half written");
  write_file_atomically(second.folder() / "000001.shard.tmp77", "half written");
  write_file_atomically(cache / "notes", "mine");
  remove_other_caches(cache, {second});
  REQUIRE_FALSE(std::filesystem::exists(first.folder()));
  REQUIRE_FALSE(std::filesystem::exists(second.folder() / "000001.shard.tmp77"));
  REQUIRE_FALSE(std::filesystem::exists(cache / "0123.corpus.tmp77"));
  REQUIRE(std::filesystem::exists(first_shard(second)));
  REQUIRE(std::filesystem::exists(cache / "notes"));
  remove_other_caches(prepared.folder / "absent", {});
}

TEST_CASE("A cache cut short is built anew", "[data]") {
  PreparedText prepared(30);
  const auto first = prepared.prepare();
  const auto file = first_shard(first);
  const auto bytes = read_file(file);
  for (const size_t size :
       {size_t{0}, size_t{5}, size_t{100}, bytes.size() / 2, bytes.size() - 1}) {
    write_file_atomically(file, bytes.substr(0, size));
    REQUIRE(same(first, prepared.prepare()));
    REQUIRE(read_file(file) == bytes);
  }
  write_file_atomically(file, bytes + "more");
  REQUIRE(same(first, prepared.prepare()));
}

TEST_CASE("A cache with any bit changed is not opened", "[data]") {
  PreparedText prepared(3);
  const auto corpus = prepared.prepare();
  const auto bytes = read_file(first_shard(corpus));
  const auto key = bytes.substr(8, 64);
  const auto opens = [](const std::filesystem::path& folder, const std::string& under) {
    return CorpusShard::open(folder, under, 0, CorpusShard::Check::kWhole) != nullptr;
  };
  REQUIRE(opens(corpus.folder(), key));
  const TemporaryFolder damaged_folder;
  for (size_t i = 0; i < bytes.size(); ++i) {
    auto damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    damaged_folder.write("000000.shard", damaged);
    INFO("byte " << i);
    REQUIRE_FALSE(opens(damaged_folder.path(), key));
  }
  REQUIRE_FALSE(opens(corpus.folder(), std::string(64, '0')));
  REQUIRE_FALSE(opens(corpus.folder(), "short"));
  REQUIRE_FALSE(opens(prepared.folder.path(), key));
}

TEST_CASE("A corpus may be a single pair", "[data]") {
  PreparedText one(30);
  one.folder.write("source", "miru tana\n");
  one.folder.write("target", "ekix");
  const auto corpus = one.prepare();
  REQUIRE(corpus.size() == 1);
  REQUIRE(tokens_of(corpus.source(0)) == one.source->encode("miru tana"));
  REQUIRE(tokens_of(corpus.target(0)) == one.target->encode("ekix"));
}

TEST_CASE("The number of threads makes no difference to the cache", "[data]") {
  PreparedText prepared(13000);
  prepared.request.threads = 1;
  const auto first = prepared.prepare();
  const auto files = files_of(first);
  std::filesystem::remove_all(first.folder());
  prepared.request.threads = 5;
  REQUIRE(files_of(prepared.prepare()) == files);
}

#if NMT_LIMITS_THREADS
TEST_CASE("A corpus that the system has too few threads for is an error", "[data]") {
  PreparedText prepared(50);
  prepared.request.threads = 1000;
  const ThreadLimit limit;
  REQUIRE(contains(error_of([&] { prepared.prepare(); }), "threads: cannot start another"));
}
#endif

TEST_CASE("A sampled corpus is the seed's, whatever the number of threads", "[data]") {
  PreparedText prepared(9000);
  prepared.request.sampling = {0.3, 0.1, 11};
  prepared.request.threads = 1;
  const auto first = prepared.prepare();
  const auto files = files_of(first);
  std::filesystem::remove_all(first.folder());
  prepared.request.threads = 2;
  REQUIRE(files_of(prepared.prepare()) == files);
  prepared.request.sampling.seed = 12;
  const auto second = prepared.prepare();
  int64_t differences = 0;
  for (int64_t i = 0; i < 9000; ++i) {
    const bool same_text = prepared.source->decode(tokens_of(first.source(i))) ==
                               prepared.text.source[static_cast<size_t>(i)] &&
                           prepared.target->decode(tokens_of(second.target(i))) ==
                               prepared.text.target[static_cast<size_t>(i)];
    if (!same_text) FAIL("pair " << i);
    if (tokens_of(first.source(i)) != tokens_of(second.source(i))) ++differences;
  }
  REQUIRE(differences > 4500);
}

TEST_CASE("A share of the pairs is in capitals or title case, the same for one seed", "[data]") {
  PreparedText prepared(4000);
  prepared.request.sampling.seed = 3;
  prepared.request.sampling.letter_case = 0.4;
  prepared.request.threads = 1;
  const auto corpus = prepared.prepare();
  const auto files = files_of(corpus);
  std::filesystem::remove_all(corpus.folder());
  prepared.request.threads = 2;
  REQUIRE(files_of(prepared.prepare()) == files);
  REQUIRE(corpus.size() == 4000);
  int64_t capitals = 0;
  int64_t titles = 0;
  for (int64_t i = 0; i < 4000; ++i) {
    const auto& source = prepared.text.source[static_cast<size_t>(i)];
    const auto& target = prepared.text.target[static_cast<size_t>(i)];
    const auto found = tokens_of(corpus.source(i));
    const bool in_capitals = found == prepared.source->encode(to_upper(source));
    const bool in_title = found == prepared.source->encode(to_title_case(source));
    if (!in_capitals && !in_title) REQUIRE(found == prepared.source->encode(source));
    const auto expected = in_capitals ? to_upper(target) : target;
    REQUIRE(tokens_of(corpus.target(i)) == prepared.target->encode(expected));
    capitals += in_capitals ? 1 : 0;
    titles += in_title ? 1 : 0;
  }
  // 800 of each, with a standard deviation of 25.
  REQUIRE(std::abs(capitals - 800) < 130);
  REQUIRE(std::abs(titles - 800) < 130);
}

TEST_CASE("Addresses are placeholders in capitals and title case, too", "[data]") {
  PreparedText prepared(50);
  for (auto* side : {&prepared.text.source, &prepared.text.target}) {
    for (auto& line : *side) line += " www.a.org";
  }
  prepared.folder.write("source", join_lines(prepared.text.source));
  prepared.folder.write("target", join_lines(prepared.text.target));
  TokenizerTraining training;
  training.corpora = {prepared.request.source_path, prepared.request.target_path};
  training.vocabulary_size = 60;
  training.type = VocabularyType::kBpe;
  training.placeholders = {SpanKind::kUrl};
  prepared.source =
      std::make_shared<Tokenizer>(Tokenizer::from_bytes(train_tokenizer(training), "vocabulary"));
  prepared.target = prepared.source;
  prepared.request.sampling.letter_case = 1.0;
  const auto corpus = prepared.prepare();
  REQUIRE(corpus.size() == 50);
  const auto last_piece = [&](const TokenSpan& tokens) {
    return prepared.source->piece(tokens_of(tokens).back());
  };
  for (int64_t i = 0; i < 50; ++i) {
    CHECK(last_piece(corpus.source(i)) == placeholder_of(SpanKind::kUrl));
    CHECK(last_piece(corpus.target(i)) == placeholder_of(SpanKind::kUrl));
  }
}

TEST_CASE("One side alone may be sampled", "[data]") {
  PreparedText prepared(300);
  const auto plain = prepared.prepare();
  prepared.request.sampling = {0.3, 0.0, 1};
  const auto sampled = prepared.prepare();
  REQUIRE_FALSE(same(plain, sampled));
  for (int64_t i = 0; i < 300; ++i) {
    REQUIRE(tokens_of(sampled.target(i)) == tokens_of(plain.target(i)));
  }
}

TEST_CASE("Progress counts lines, and what it throws ends the preparation", "[data]") {
  PreparedText prepared(10000);
  prepared.request.threads = 3;
  std::vector<int64_t> told;
  prepared.request.progress = [&](int64_t lines) {
    told.push_back(lines);
    if (told.size() == 2) throw Error("enough");
  };
  REQUIRE(error_of([&] { prepared.prepare(); }) == "enough");
  REQUIRE(told == std::vector<int64_t>{4096, 8192});
  REQUIRE(std::filesystem::is_empty(prepared.request.cache_dir));
  prepared.request.progress = [&](int64_t lines) { told.push_back(lines); };
  prepared.prepare();
  REQUIRE(told.back() == 10000);
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

TEST_CASE("A cache folder that cannot be made is an error that names it", "[data]") {
  PreparedText prepared(5);
  prepared.request.cache_dir = prepared.folder.write("file", "") / "cache";
  REQUIRE(contains(error_of([&] { prepared.prepare(); }), "file/cache: cannot be created"));
}

TEST_CASE("A corpus with nothing left is an error", "[data]") {
  PreparedText prepared(5);
  prepared.request.max_length = 1;
  prepared.folder.write("source", "ba lo\nba lo\nba lo\nba lo\nba lo\n");
  REQUIRE(contains(error_of([&] { prepared.prepare(); }), "no pair is left"));
  REQUIRE(std::filesystem::is_empty(prepared.request.cache_dir));
}

TEST_CASE("Bad UTF-8 is reported with file, line and byte, the first of it", "[data]") {
  PreparedText prepared(9000);
  prepared.request.threads = 3;
  prepared.text.target[8500] = "ab\xFF";
  prepared.text.source[5000] = "\xFF";
  prepared.folder.write("source", join_lines(prepared.text.source));
  prepared.folder.write("target", join_lines(prepared.text.target));
  REQUIRE(contains(error_of([&] { prepared.prepare(); }),
                   "source: line 5001: byte 1 is not valid UTF-8"));
  REQUIRE(std::filesystem::is_empty(prepared.request.cache_dir));
  prepared.text.source[5000] = "ba";
  prepared.text.source.pop_back();
  prepared.folder.write("source", join_lines(prepared.text.source));
  REQUIRE(contains(error_of([&] { prepared.prepare(); }), "target: line 8501: byte 3 "));
}

TEST_CASE("Texts of unequal lengths or without a line leave nothing behind", "[data]") {
  PreparedText prepared(50);
  const auto refusal = [&](const std::string& source, const std::string& target) {
    prepared.folder.write("source", source);
    prepared.folder.write("target", target);
    const auto message = error_of([&] { prepared.prepare(); });
    REQUIRE(std::filesystem::is_empty(prepared.request.cache_dir));
    return message;
  };
  REQUIRE(contains(refusal("ba\nlo\n", "bax\n"), "source: 2 lines, but 1 in"));
  REQUIRE(contains(refusal("", "bax\n"), ": 0 lines, but 1 in"));
  REQUIRE(contains(refusal("", ""), "the corpus is empty"));
}

TEST_CASE("A corpus of many shards is the corpus of one", "[data]") {
  PreparedText prepared(3000);
  for (size_t i = 0; i < 3000; i += 7) prepared.text.source[i].clear();  // is dropped
  prepared.folder.write("source", join_lines(prepared.text.source));
  const auto whole = prepared.prepare();
  REQUIRE(files_of(whole).size() == 1);
  prepared.request.shard_bits = 8;
  prepared.request.threads = 3;
  const auto parts = prepared.prepare();
  REQUIRE(files_of(parts).size() == 11);  // 2571 pairs
  REQUIRE(same(whole, parts));
  REQUIRE(to_text(parts.report()) == to_text(whole.report()));
  parts.release_pages();
  REQUIRE(same(whole, parts));
}

TEST_CASE("A corpus may end where a shard does", "[data]") {
  PreparedText prepared(512);
  prepared.request.shard_bits = 8;
  REQUIRE(same(prepared.prepare(), prepared.prepare()));
  prepared.request.shard_bits = 0;
  REQUIRE(prepared.prepare().size() == 512);
}

TEST_CASE("A preparation that was ended goes on and ends as one that was not", "[data]") {
  PreparedText prepared(13000);
  prepared.request.shard_bits = 10;
  prepared.request.threads = GENERATE(1, 3);
  if (GENERATE(false, true)) {
    const auto content = read_file(prepared.request.source_path);
    prepared.request.source_path = prepared.folder / "source.gz";
    gzFile file = gzopen(prepared.request.source_path.c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
  }
  if (GENERATE(false, true)) prepared.request.sampling = {0.1, 0.1, 5};
  const auto straight = prepared.prepare();
  const auto expected = files_of(straight);
  std::filesystem::remove_all(straight.folder());
  std::vector<int64_t> went_on;
  int left = 2;  // chunks until it is killed; of later attempts, after it went on
  prepared.request.goes_on = [&](int64_t lines) {
    went_on.push_back(lines);
    left = 1;
  };
  prepared.request.progress = [&](int64_t) {
    if (--left == 0) throw Error("killed");
  };
  for (int attempt = 0; attempt < 3; ++attempt) {
    REQUIRE(error_of([&] { prepared.prepare(); }) == "killed");
    left = 0;
  }
  prepared.request.progress = nullptr;
  const auto finished = prepared.prepare();
  REQUIRE(went_on.size() == 3);
  REQUIRE(went_on.front() == 7168);  // the shards that were whole when line 8192 was done
  REQUIRE(std::is_sorted(went_on.begin(), went_on.end()));
  const bool same_bytes = files_of(finished) == expected;
  REQUIRE(same_bytes);
}

TEST_CASE("A damaged or missing shard alone is built anew", "[data]") {
  PreparedText prepared(2000);
  prepared.request.shard_bits = 8;
  const auto first = prepared.prepare();
  const auto expected = files_of(first);
  const auto third = shard_file(first.folder(), 2);
  auto bytes = read_file(third);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write_file_atomically(third, bytes);
  std::filesystem::remove(shard_file(first.folder(), 5));
  const auto fourth = std::filesystem::last_write_time(shard_file(first.folder(), 3));
  std::vector<int64_t> went_on;
  prepared.request.goes_on = [&](int64_t lines) { went_on.push_back(lines); };
  const auto again = prepared.prepare();
  REQUIRE(files_of(again) == expected);
  REQUIRE(std::filesystem::last_write_time(shard_file(first.folder(), 3)) == fourth);
  REQUIRE(went_on == std::vector<int64_t>{512, 1280});
}

TEST_CASE("The token of the target language stands before the source", "[data]") {
  PreparedText prepared(300);
  prepared.text.source[5] = "";
  prepared.folder.write("source", join_lines(prepared.text.source));
  const auto plain = prepared.prepare();
  *prepared.source = with_languages(*prepared.source, {"de", "fr"}, "source");
  const int32_t french = prepared.source->vocabulary_size() - 1;
  prepared.request.target_language = "fr";
  const auto corpus = prepared.prepare();
  REQUIRE(corpus.size() == 299);  // an empty source stays empty
  for (int64_t i = 0; i < corpus.size(); ++i) {
    auto source = tokens_of(plain.source(i));
    source.insert(source.begin(), french);
    REQUIRE(tokens_of(corpus.source(i)) == source);
    REQUIRE(tokens_of(corpus.target(i)) == tokens_of(plain.target(i)));
  }
  prepared.request.target_language = "de";
  REQUIRE(tokens_of(prepared.prepare().source(0)).front() == french - 1);
  // Without one, each line names its own.
  prepared.request.target_language = "";
  REQUIRE(
      contains(error_of([&] { prepared.prepare(); }), "source: line 1: names no target language"));
  prepared.request.other_advice = ", or else";
  REQUIRE(contains(error_of([&] { prepared.prepare(); }) + "$", "e.g. <2de>, or else$"));
  for (auto& line : prepared.text.source) line.insert(0, line.empty() ? "<2de>" : "<2fr> ");
  prepared.text.source[5] = "<2de> ";
  prepared.folder.write("source", join_lines(prepared.text.source));
  REQUIRE(same(prepared.prepare(), corpus));
}

TEST_CASE("The text of a language model names no target language", "[data]") {
  PreparedText prepared(300);
  prepared.request.target_path = prepared.request.source_path;
  *prepared.target = *prepared.source = with_languages(*prepared.source, {"de", "fr"}, "source");
  const auto corpus = prepared.prepare();
  REQUIRE(corpus.size() == 300);
  for (int64_t i = 0; i < corpus.size(); ++i) {
    const auto tokens = prepared.source->encode(prepared.text.source[static_cast<size_t>(i)]);
    REQUIRE(tokens_of(corpus.source(i)) == tokens);
    REQUIRE(tokens_of(corpus.target(i)) == tokens);
  }
}

}  // namespace nmt
