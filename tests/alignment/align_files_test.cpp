#include "alignment/align_files.h"

#include "alignment/gold_alignment.h"
#include "files/line_reader.h"
#include "formats/output_format.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/imported_model.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

const std::filesystem::path kRoot = NMT_SOURCE_DIR;

/// A request for the first sentences of the sample test set.
struct SampleAlignment {
  SampleAlignment(const std::string& source_file, const std::string& target_file) {
    request.forward.model_dirs = {kRoot / "models/sample"};
    request.forward.threads = 1;
    request.source = write("source", source_file);
    request.target = write("target", target_file);
    request.output = folder / "output";
  }

  std::filesystem::path write(const std::string& name, const std::string& sample_file) {
    auto lines = read_lines(kRoot / "data/sample" / sample_file);
    std::string text;
    for (size_t i = 0; i < 20; ++i) text += lines[i] + "\n";
    return folder.write(name, text);
  }

  std::vector<std::string> lines() {
    align_files(request);
    return read_lines(request.output);
  }

  std::vector<LinkSet> links() {
    std::vector<LinkSet> sets;
    for (const auto& line : lines()) sets.push_back(parse_gold_alignment(line, 99, 99).sure);
    return sets;
  }

  TemporaryFolder folder;
  AlignmentRequest request;
};

}  // namespace

TEST_CASE("The words of an imported model are its tokens", "[alignment]") {
  SampleAlignment sample("test.ko", "test.en");
  sample.request.forward.model_dirs = {write_imported_model(sample.folder / "model")};
  sample.request.source = sample.folder.write("source", "the ca@@ ts sle@@ ep .\n");
  sample.request.target = sample.folder.write("target", "die Kat@@ zen schla@@ fen .\n");
  const auto links = sample.links();
  REQUIRE(links.size() == 1);
  REQUIRE(links.front().size() == 6);  // one for each target word
}

TEST_CASE("One direction aligns each target word with the source word it attends to most",
          "[alignment]") {
  SampleAlignment sample("test.ko", "test.en");
  TranslationOptions options;
  options.words = true;
  const auto pairs = Translator(sample.request.forward)
                         .force_decode(read_lines(sample.request.source),
                                       read_lines(sample.request.target), options);
  const auto lines = sample.lines();
  REQUIRE(lines.size() == 20);
  for (size_t i = 0; i < lines.size(); ++i) CHECK(lines[i] + "\n" == format_alignment(pairs[i]));
}

TEST_CASE("Both directions are joined, the reverse one turned round", "[alignment]") {
  // One text and one model on both sides: the reverse links are the forward ones turned round, so
  // that every joint alignment is symmetric.
  SampleAlignment sample("test.ko", "test.ko");
  const auto forward = sample.links();
  sample.request.reverse = sample.request.forward.model_dirs.front();
  sample.request.symmetrization = Symmetrization::kUnion;
  const auto either = sample.links();
  for (size_t i = 0; i < either.size(); ++i) {
    LinkSet expected = forward[i];
    for (const auto& [source, target] : forward[i]) expected.emplace(target, source);
    CHECK(either[i] == expected);
  }
  sample.request.symmetrization = Symmetrization::kIntersection;
  const auto both = sample.links();
  for (size_t i = 0; i < both.size(); ++i) {
    for (const auto& [source, target] : forward[i]) {
      CHECK(both[i].count({source, target}) == forward[i].count({target, source}));
    }
  }
}

TEST_CASE("Words without tokens are not aligned", "[alignment]") {
  SampleAlignment sample("test.ko", "test.en");
  const std::vector<std::string> unread = {"\u00a0", "\u200b", "\u3000", "\u2028", "\x01", "▁"};
  std::string sources = "저는 책을 읽어요.\n";
  std::string targets = "I read a book.\n";
  for (const auto& word : unread) {
    sources += word + "\n저는 가요.\n" + word + "\n";
    targets += "I go.\n" + word + "\n" + word + "\n";
  }
  sample.folder.write("source", sources);
  sample.folder.write("target", targets);
  sample.request.reverse = sample.request.forward.model_dirs.front();
  const auto lines = sample.lines();
  REQUIRE(lines.size() == 1 + 3 * unread.size());
  CHECK_FALSE(lines[0].empty());
  for (size_t i = 1; i < lines.size(); ++i) CHECK(lines[i].empty());
}

TEST_CASE("A text that is too long is named with its file", "[alignment]") {
  SampleAlignment sample("test.ko", "test.en");
  std::string words;
  for (int i = 0; i < 2100; ++i) words += "book ";
  const auto short_text = sample.folder.write("short", "I\n");
  const auto long_text = sample.folder.write("long", words + "\n");
  sample.request.source = long_text;
  sample.request.target = short_text;
  CHECK(contains(error_of([&] { sample.lines(); }), "long: line 1: "));
  sample.request.source = short_text;
  sample.request.target = long_text;
  CHECK(contains(error_of([&] { sample.lines(); }), "long: line 1: "));
}

TEST_CASE("Files that do not pair, wrong gold and models without attention are named",
          "[alignment]") {
  SampleAlignment sample("test.ko", "test.en");
  sample.request.gold = sample.folder.write("gold", "0-0\n");
  CHECK(contains(error_of([&] { sample.lines(); }), "gold: 1 line, but 20 in"));
  std::string gold = "0-0\n99-0\n";
  for (int i = 2; i < 20; ++i) gold += "\n";
  sample.folder.write("gold", gold);
  CHECK(contains(error_of([&] { sample.lines(); }), "gold: line 2: link 99-0 is outside the pair"));
  const auto model = sample.request.forward.model_dirs;
  sample.request.forward.model_dirs = {sample.folder / "none"};
  CHECK(contains(error_of([&] { sample.lines(); }), "gold: line 2: "));  // before reading a model
  sample.request.forward.model_dirs = model;
  sample.folder.write("target", "one\n");
  CHECK(contains(error_of([&] { sample.lines(); }), "source: 20 lines, but 1 in"));
  CHECK_FALSE(std::filesystem::exists(sample.request.output));
}

}  // namespace nmt
