#include "shortlist/make_shortlist.h"

#include <utility>

#include "checkpoint/lexical_shortlist.h"
#include "files/file.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/log_capture.h"
#include "support/sample.h"
#include "support/temporary_folder.h"
#include "support/write_checksums.h"
#include "translate/translator.h"

namespace nmt {
namespace {

const std::string kModel = std::string(NMT_SOURCE_DIR) + "/models/sample";
const std::string kData = std::string(NMT_SOURCE_DIR) + "/data/sample/";

ShortlistRequest sample_request(const std::filesystem::path& output) {
  ShortlistRequest request;
  request.model = kModel;
  request.source = kData + "train.ko";
  request.target = kData + "train.en";
  request.output = output;
  return request;
}

std::vector<std::string> texts(const TranslatorOptions& options, const TranslationOptions& how) {
  std::vector<std::string> found;
  for (const auto& translation : Translator(options).translate(sample_lines("test.ko", 40), how)) {
    found.push_back(translation.text);
  }
  return found;
}

}  // namespace

TEST_CASE("A shortlist of the training corpus changes few translations, one of too few tokens most",
          "[shortlist]") {
  const TemporaryFolder folder;
  auto request = sample_request(folder / "list");
  REQUIRE(contains(make_shortlist(request), "candidates of"));
  REQUIRE(contains(error_of([&] { make_shortlist(request); }), "--overwrite"));
  request.overwrite = true;
  request.best = 1;
  request.frequent = 0;
  request.output = folder / "short";
  make_shortlist(request);
  TranslatorOptions options{{kModel}, "cpu", 1};
  TranslationOptions how;
  how.beam_size = 2;
  const auto without = texts(options, how);
  const auto same_with = [&](const std::string& name) {
    options.shortlist = folder / name;
    const auto found = texts(options, how);
    size_t same = 0;
    for (size_t i = 0; i < found.size(); ++i) same += found[i] == without[i] ? 1 : 0;
    return same;
  };
  CHECK(same_with("list") >= 38);
  CHECK(same_with("short") < 20);
  CHECK(Translator(options).fingerprint() != Translator({{kModel}, "cpu", 1}).fingerprint());
  // What a prefix demands is a candidate.
  const Translator restricted(options);
  CHECK(restricted.translate({"저는 책을 읽어요."}, how, {{"Yesterday we", {}}})[0].text.rfind(
            "Yesterday we", 0) == 0);
}

TEST_CASE("A shortlist is learned from pairs that are not too long for the model", "[shortlist]") {
  const TemporaryFolder folder;
  const auto model = folder / "model";
  std::filesystem::copy(kModel, model, std::filesystem::copy_options::recursive);
  auto config = read_file(model / "config.yaml");
  const std::string limit = "max_length: 100\n";
  config.replace(config.find(limit), limit.size(), "max_length: 10\n");
  folder.write("model/config.yaml", config);
  write_checksums(model);
  const auto pairs = [&](const std::filesystem::path& path) {
    auto request = sample_request(folder / "list");
    request.model = path;
    request.overwrite = true;
    const auto summary = make_shortlist(request);
    return std::stoll(summary.substr(summary.find(": ") + 2));
  };
  CHECK(pairs(model) < pairs(kModel));
}

TEST_CASE("Texts that the vocabularies do not know are warned of", "[shortlist]") {
  const TemporaryFolder folder;
  auto request = sample_request(folder / "list");
  request.max_pairs = 100;
  const auto warnings = [&] {
    const LogCapture log;
    make_shortlist(request);
    request.overwrite = true;
    return log.text();
  };
  CHECK(warnings().empty());
  std::swap(request.source, request.target);
  const auto swapped = warnings();
  CHECK(contains(swapped, "train.en: "));
  CHECK(contains(swapped, "unknown to the model's source vocabulary; check the order of"));
  CHECK(contains(swapped, "unknown to the model's target vocabulary"));
}

TEST_CASE("A shortlist of another model, a damaged one and another file are refused",
          "[shortlist]") {
  const TemporaryFolder folder;
  const auto source = Tokenizer::from_file(kModel + "/source.spm");
  const auto target = Tokenizer::from_file(kModel + "/target.spm");
  LexicalShortlist shortlist;
  shortlist.target_vocabulary_size = target.vocabulary_size();
  shortlist.ends.assign(static_cast<size_t>(source.vocabulary_size()), 1);
  shortlist.tokens = {9};
  shortlist.frequent = {5, 7};
  const auto file = folder / "list";
  write_lexical_shortlist(file, shortlist, {source, target});
  const auto read = read_lexical_shortlist(file, {source, target});
  CHECK(read.candidates({0, 3}, {8}) == std::vector<int32_t>{1, 3, 5, 7, 8, 9});
  CHECK(read.candidates({3}, {}) == std::vector<int32_t>{1, 3, 5, 7});
  CHECK(contains(error_of([&] {
                   read_lexical_shortlist(file, {target, source});
                 }),
                 "made for other vocabularies"));
  // The latter as another toolkit writes one.
  for (const auto& other :
       {std::filesystem::path(kModel + "/model.safetensors"), folder.write("lex", "book 책 0.5")}) {
    CHECK(contains(error_of([&] {
                     read_lexical_shortlist(other, {source, target});
                   }),
                   "not a lexical shortlist; use one of nmt shortlist"));
  }
  shortlist.tokens = {target.vocabulary_size()};
  write_lexical_shortlist(file, shortlist, {source, target});
  CHECK(contains(error_of([&] { read_lexical_shortlist(file, {source, target}); }), "damaged"));
}

}  // namespace nmt
