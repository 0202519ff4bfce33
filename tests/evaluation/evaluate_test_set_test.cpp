#include "evaluation/evaluate_test_set.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "checkpoint/model_directory.h"
#include "config/settings_io.h"
#include "evaluation/score_files.h"
#include "evaluation/test_score.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/imported_model.h"
#include "support/log_capture.h"
#include "support/temporary_folder.h"
#include "support/write_checksums.h"

namespace nmt {
namespace {

EvaluationRequest of_sample_model() {
  EvaluationRequest request;
  request.translator = {{NMT_SOURCE_DIR "/models/sample"}, "cpu", 1};
  request.translation.beam_size = 1;
  return request;
}

}  // namespace

TEST_CASE("Perplexity leaves out lines with an empty source, and the report says so",
          "[evaluation]") {
  const TemporaryFolder folder;
  auto request = of_sample_model();
  request.source = folder.write("source", "저는 책을 읽어요.\n");
  request.references = {folder.write("reference", "I read a book.\n")};
  const auto expected = evaluate_test_set(request);
  REQUIRE(expected.perplexity.has_value());
  REQUIRE(expected.lines_without_source == 0);
  REQUIRE_FALSE(contains(to_text(expected, {}), "empty source"));
  folder.write("source", "저는 책을 읽어요.\n\n");
  folder.write("reference", "I read a book.\nNothing to translate.\n");
  const auto report = evaluate_test_set(request);
  REQUIRE(report.lines == 2);
  REQUIRE(report.lines_without_source == 1);
  REQUIRE(report.perplexity == expected.perplexity);
  REQUIRE(contains(to_text(report, {}), "\nperplexity leaves out 1 line with an empty source\n"));
  const auto json = nlohmann::json::parse(to_json(report, {}));
  REQUIRE(json["perplexity"].is_number());
  REQUIRE(json["perplexity_excluded_lines"] == 1);
}

TEST_CASE("Perplexity leaves out lines without a first reference", "[evaluation]") {
  const TemporaryFolder folder;
  auto request = of_sample_model();
  request.source = folder.write("source", "저는 책을 읽어요.\n책\n\n");
  request.references = {folder.write("reference", "I read a book.\n\n\n"),
                        folder.write("other", "I read a book.\nA book.\n\n")};
  const auto scores =
      Translator(request.translator).score({"저는 책을 읽어요."}, {"I read a book."});
  REQUIRE(scores.size() == 1);
  const auto tokens = static_cast<double>(scores[0].num_tokens);
  const auto report = evaluate_test_set(request);
  REQUIRE(report.perplexity.has_value());
  CHECK(*report.perplexity == Approx(std::exp(-scores[0].log_probability / tokens)));
  CHECK(report.lines_without_reference == 2);
  CHECK(report.lines_without_source == 0);
  CHECK(contains(to_text(report, {}), "\nperplexity leaves out 2 lines with an empty reference\n"));
  CHECK(nlohmann::json::parse(to_json(report, {}))["perplexity_excluded_lines"] == 2);
}

TEST_CASE("Perplexity leaves out lines that are too long to score", "[evaluation]") {
  const TemporaryFolder folder;
  std::string long_line;
  for (int i = 0; i < 2100; ++i) long_line += "a ";
  auto request = of_sample_model();
  request.translation.max_length = 5;
  request.source = folder.write("source", "저는 책을 읽어요.\n");
  request.references = {folder.write("reference", "I read a book.\n")};
  const auto expected = evaluate_test_set(request);
  REQUIRE_FALSE(contains(to_text(expected, {}), "leaves out"));
  folder.write("source", "책\n저는 책을 읽어요.\n" + long_line + "\n\n");
  folder.write("reference", long_line + "\nI read a book.\nA book.\nA book.\n");
  const auto report = evaluate_test_set(request);
  CHECK(report.perplexity == expected.perplexity);
  CHECK(contains(to_text(report, {}),
                 "\nperplexity leaves out 1 line with an empty source\n"
                 "perplexity leaves out 2 lines of over 2000 tokens\n"));
  CHECK(nlohmann::json::parse(to_json(report, {}))["perplexity_excluded_lines"] == 3);
}

TEST_CASE("References of a model that reads tokens may be tokens or text", "[evaluation]") {
  const TemporaryFolder folder;
  EvaluationRequest request;
  request.translator.model_dirs = {write_imported_model(folder / "model")};
  request.translator.threads = 1;
  request.source = folder.write("source", "the ca@@ ts sle@@ ep .\na do@@ gs\n");
  const auto tokens = folder.write("tokens", "die Kat@@ zen schla@@ fen .\nei@@ ne Hun@@ de\n");
  const auto text = folder.write("text", "die Katzen schlafen .\neine Hunde\n");
  request.references = {tokens};
  const auto by_tokens = evaluate_test_set(request);
  REQUIRE(by_tokens.perplexity.has_value());
  const LogCapture log;
  request.references = {text, tokens};
  const auto by_text = evaluate_test_set(request);
  CHECK(contains(log.text(), "text: text, but this model reads tokens; no perplexity"));
  CHECK_FALSE(by_text.perplexity.has_value());
  CHECK(by_text.chrf == by_tokens.chrf);  // both files say the same
  CHECK(by_text.ter == by_tokens.ter);
}

TEST_CASE("Words of targets that a model reads as tokens are the tokens", "[evaluation]") {
  const TemporaryFolder folder;
  PairScoringRequest request;
  request.translator.model_dirs = {write_imported_model(folder / "model")};
  request.translator.threads = 1;
  request.words = true;
  request.source = folder.write("source", "the ca@@ ts\n");
  request.target = folder.write("target", "die Kat@@ zen Wal@@ ross .\n");
  request.output = folder / "output";
  const LogCapture log;
  score_pairs(request);
  const auto scored = read_file(request.output);
  for (const auto* word : {"die|", " Kat@@|", " zen|", " Wal@@|", " ross|", " .|"}) {
    INFO(word);
    CHECK(contains(scored, word));
  }
  CHECK_FALSE(contains(log.text(), "reads tokens"));
  request.target = folder.write("text", "die Katzen .\n");
  score_pairs(request);
  CHECK(
      contains(log.text(), "text: text, but this model reads tokens, so joined words are unknown"));
}

TEST_CASE("Each file of references must have as many lines as the translations", "[evaluation]") {
  const TemporaryFolder folder;
  EvaluationRequest request;
  request.hypothesis = folder.write("hypothesis", "a b c\n");
  request.references = {folder.write("one", "a b d\n"), folder.write("two", "a b c d e f g\n")};
  const auto report = evaluate_test_set(request);
  REQUIRE(*report.ter == Approx(20));
  REQUIRE(contains(to_text(report, {}), "TER 20.00  nrefs:2|"));
  REQUIRE(contains(to_json(report, {}), "nrefs:2|"));
  folder.write("two", "a\nb\n");
  REQUIRE(contains(error_of([&] { evaluate_test_set(request); }), "hypothesis: 1 line, but 2 in"));
}

TEST_CASE("An output that cannot be written fails before the work, and failed work leaves no file",
          "[evaluation]") {
  const TemporaryFolder folder;
  const std::filesystem::path sample = NMT_SOURCE_DIR "/models/sample";
  std::string long_line;
  for (int i = 0; i < 3000; ++i) long_line += "book ";
  EvaluationRequest evaluation;
  evaluation.translator.model_dirs = {sample};
  evaluation.source = folder.write("source", "저는 책을 읽어요.\n");
  evaluation.references = {folder.write("reference", "I read a book.\n")};
  evaluation.translation.beam_size = 0;  // translating fails
  PairScoringRequest pairs;
  pairs.translator.model_dirs = {sample};
  pairs.source = evaluation.source;
  pairs.target = folder.write("long", long_line + "\n");  // scoring fails
  LineScoringRequest lines;
  lines.options.language_model = folder / "no-model";
  lines.input = evaluation.source;
  const auto errors_with = [&](const std::filesystem::path& output) {
    evaluation.translations = pairs.output = lines.output = output;
    return std::vector<std::string>{error_of([&] { evaluate_test_set(evaluation); }),
                                    error_of([&] { score_pairs(pairs); }),
                                    error_of([&] { score_lines(lines); })};
  };
  for (const auto& error : errors_with(folder / "absent" / "output")) {
    CHECK(contains(error, "output: cannot be written"));
  }
  const auto errors = errors_with(folder / "output");
  CHECK(contains(errors[0], "beam_size"));
  CHECK(contains(errors[1], "long: line 1: "));
  CHECK(contains(errors[2], "no-model"));
  CHECK_FALSE(std::filesystem::exists(folder / "output"));
  CHECK_FALSE(std::filesystem::exists(folder / "output.partial"));
}

TEST_CASE("Files that do not pair with the references are named", "[evaluation]") {
  const TemporaryFolder folder;
  EvaluationRequest request;
  request.hypothesis = folder.write("hypothesis", "a\n");
  request.references = {folder.write("reference", "a\nb\n")};
  REQUIRE(contains(error_of([&] { evaluate_test_set(request); }), "hypothesis: 1 line, but 2 in"));
}

namespace {

std::string warnings_of(const EvaluationRequest& request) {
  const LogCapture log;
  evaluate_test_set(request);
  return log.text();
}

}  // namespace

TEST_CASE("BLEU by 13a of text without spaces names a better tokenizer", "[evaluation]") {
  const TemporaryFolder folder;
  EvaluationRequest request;
  request.hypothesis = folder.write("hypothesis", "他有三本书。\n");
  request.references = {folder.write("reference", "他有三本书。\n")};
  const auto warning = [&] { return warnings_of(request); };
  CHECK(contains(warning(), "use --tokenize zh\n"));
  request.references = {folder.write("reference", "私は本を読みます。\n")};
  CHECK(contains(warning(), "use --tokenize char\n"));
  request.options.metrics = {"chrf"};
  CHECK(warning().empty());
  request.options.metrics = {"bleu"};
  request.options.bleu.tokenizer = BleuTokenizer::kIntl;
  CHECK(warning().empty());
  request.options.bleu.tokenizer = BleuTokenizer::k13a;
  request.references = {folder.write("reference", "I read a book.\n")};
  CHECK(warning().empty());
}

TEST_CASE("References in another form of Unicode than the translations are named", "[evaluation]") {
  const TemporaryFolder folder;
  EvaluationRequest request;
  request.hypothesis = folder.write("hypothesis", "caf\u00E9\n");
  request.references = {folder.write("reference", "cafe\u0301\n")};
  CHECK(contains(warnings_of(request), "100 % of the references and 0 % of the translations"));
  folder.write("hypothesis", "cafe\u0301\n");
  CHECK(warnings_of(request).empty());
}

TEST_CASE("Translations in lower case name --lowercase where the references have capitals",
          "[evaluation]") {
  const TemporaryFolder folder;
  EvaluationRequest request;
  request.hypothesis = folder.write("hypothesis", "i read a book.\n");
  request.references = {folder.write("reference", "I read a book.\n")};
  const auto warning = [&] { return warnings_of(request); };
  CHECK(contains(warning(), "use --lowercase\n"));
  request.options.metrics = {"ter"};
  CHECK(warning().empty());
  request.options.metrics = {"bleu"};
  request.options.bleu.lowercase = true;
  CHECK(warning().empty());
  request.options.bleu.lowercase = false;
  folder.write("hypothesis", "I read a book.\n");
  CHECK(warning().empty());
  folder.write("reference", "i read a book.\n");
  CHECK(warning().empty());
  folder.write("hypothesis", "이 지역의 높이는 10km 정도이다.\n");  // no case, but for a unit
  folder.write("reference", "그는 TV를 본다.\n");
  CHECK(warning().empty());
  folder.write("hypothesis", "თბილისი დედაქალაქია.\n");
  folder.write("reference", "თბილისი UNESCO.\n");
  CHECK(warning().empty());
}

TEST_CASE("With --lowercase, confidence is correlated with chrF2 that ignores case",
          "[evaluation]") {
  const TemporaryFolder folder;
  auto request = of_sample_model();
  request.options.bleu.lowercase = request.options.chrf.lowercase = true;
  request.source =
      folder.write("source", "저는 책을 읽어요.\n저는 도서관에서 책을 읽었어요.\n10월은 춥다.\n");
  request.references = {folder.write("reference", "I read a book.\nI slept.\nOctober is cold.\n")};
  const auto mixed = evaluate_test_set(request);
  folder.write("reference", "I READ A BOOK.\nI SLEPT.\nOCTOBER IS COLD.\n");
  CHECK(evaluate_test_set(request).confidence->correlation ==
        Approx(mixed.confidence->correlation));
}

TEST_CASE("The test score of a training is by the tokenizer that its command names",
          "[evaluation]") {
  const TemporaryFolder folder;
  const ModelDirectory model{folder / "model"};
  std::filesystem::copy(NMT_SOURCE_DIR "/models/sample", model.root);
  auto settings = load_settings(model.settings());
  settings.train.threads = 1;
  settings.data.test_source = folder.write("source", "저는 책을 읽어요.\n").string();
  const auto command_for = [&](const std::string& reference) {
    settings.data.test_target = folder.write("target", reference + "\n").string();
    folder.write("model/config.yaml", to_yaml(settings, /*with_comments=*/false));
    write_checksums(model.root);
    const LogCapture log;
    score_test_set(model);
    const auto test = nlohmann::json::parse(read_file(model.summary()))["test"];
    CHECK(contains(log.text(), test["command"].get<std::string>() + "\n"));
    CHECK_FALSE(contains(log.text(), "use --tokenize"));
    return test["command"].get<std::string>();
  };
  CHECK(contains(command_for("我喜欢在图书馆里安静地读一本很好的书。"), "--tokenize zh"));
  CHECK_FALSE(contains(command_for("I read a book."), "--tokenize"));
}

}  // namespace nmt
