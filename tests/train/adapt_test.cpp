#include "train/adapt.h"

#include <ATen/ATen.h>

#include <string>
#include <vector>

#include "checkpoint/model.h"
#include "export/small_model.h"
#include "files/line_reader.h"
#include "support/english_model.h"
#include "support/expect_error.h"
#include "support/log_capture.h"
#include "support/temporary_folder.h"
#include "support/test_device_name.h"
#include "support/torch_catch.h"
#include "text/vocabulary_growth.h"

namespace nmt {
namespace {

/// The old rows, and after them the means of those that spelled the new pieces.
torch::Tensor grown_rows(const torch::Tensor& old,
                         const std::vector<std::vector<int32_t>>& spelled) {
  std::vector<torch::Tensor> rows = {old};
  for (const auto& ids : spelled) {
    auto sum = torch::zeros_like(old[0]);
    for (const int32_t id : ids) sum += old[id];
    rows.push_back((sum / static_cast<double>(ids.size())).unsqueeze(0));
  }
  return torch::cat(rows);
}

AdaptRequest corrections(const TemporaryFolder& folder, int64_t new_pieces) {
  AdaptRequest request;
  request.model = NMT_SOURCE_DIR "/models/sample";
  request.output = folder / "adapted";
  request.source = folder.write("source", "브롱크스에 가요.\n브롱크스에 와요.\n");
  request.target = folder.write("target", "I go to the Bronxville.\nThe Bronxville comes.\n");
  request.new_pieces = new_pieces;
  request.steps = 20;
  request.learning_rate = 1e-3;
  request.threads = 1;
  request.device = test_device_name();
  return request;
}

/// What adapt_model() says without a step: the loss of the corrections.
std::string loss_of(AdaptRequest request, const TemporaryFolder& folder, const std::string& source,
                    const std::string& target) {
  request.source = folder.write("source", source);
  request.target = folder.write("target", target);
  request.overwrite = true;
  request.steps = 0;
  return adapt_model(request);
}

}  // namespace

TEST_CASE("Corrections of several sentences are learned one by one", "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder, 0);
  const std::string first = "저는 책을 읽어요.";
  const std::string second = "민수는 커피를 마셔요!";
  const auto loss = loss_of(request, folder, first + "\n" + second + "\n",
                            "I read books.\nMinsu drinks coffee.\n");
  CHECK(loss_of(request, folder, first + " " + second + "\n",
                "I read books. Minsu drinks coffee.\n") == loss);
  CHECK(contains(error_of([&] {
                   loss_of(request, folder, first + " " + second + "\n",
                           "I read books and Minsu drinks coffee.\n");
                 }),
                 "source: line 1: 2 sentences, which are translated one by one, but 1 in the "
                 "translation; use a line for each"));
  CHECK(contains(loss_of(request, folder, first + "\n", "I read. I read books.\n"), "token loss"));
}

TEST_CASE("Corrections in capitals are learned in ordinary case, as they are translated",
          "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder, 0);
  request.model = write_english_model(folder.path());
  CHECK(loss_of(request, folder, "I READ A BOOK WITH MINSU IN THE LIBRARY.\n",
                "I READ A BOOK IN THE LIBRARY.\n") ==
        loss_of(request, folder, "I read a book with Minsu in the library.\n",
                "I read a book in the library.\n"));
  CHECK(loss_of(request, folder, "The Teacher Reads A Book\n", "A book.\n") ==
        loss_of(request, folder, "The teacher reads a book\n", "A book.\n"));
  CHECK(loss_of(request, folder, "The Teacher Reads A Book\n", "The Teacher Reads A Book\n") ==
        loss_of(request, folder, "The teacher reads a book\n", "The teacher reads a book\n"));
}

TEST_CASE("Characters that the model cannot write are learned where the source has them",
          "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder, 0);
  CHECK(contains(loss_of(request, folder,
                         "Ein Mann zahlt 29,99 €.\n"
                         "Ein Mann lacht 😀.\n"
                         "Ein Mann liest www.example.org/a_b.\n"
                         "Łukasz trägt einen Hut.\n"
                         "• Ein Mann trägt einen Hut.\n"
                         "1) Ein Mann trägt einen Hut.\n"
                         "Ein Mann trägt einen Hut.[2]\n"
                         "Ein Mann sitzt. 😀 Eine Frau läuft.\n"
                         "Ein Mann sitzt. 12:30\n",
                         "A fellow pays 29.99 €.\n"
                         "A fellow laughs 😀.\n"
                         "A fellow reads www.example.org/a_b.\n"
                         "Łukasz wears a cap.\n"
                         "• A fellow wears a hat.\n"
                         "1) A fellow wears a hat.\n"
                         "A fellow wears a hat.[2]\n"
                         "A fellow sits. 😀 A lady runs.\n"
                         "A fellow sits. 12:30\n"),
                 "token loss"));
  const auto refused = [&](const std::string& source, const std::string& target) {
    return error_of([&] { loss_of(request, folder, source + "\n", target + "\n"); });
  };
  CHECK(contains(refused("Ein Mann zahlt 29,99 €.", "A fellow pays $29.99."), "piece for '$';"));
  CHECK(contains(refused("Ein Mann zahlt 29,99 €.", "A fellow pays 31 €."), "piece for '31';"));
  CHECK(contains(refused("Ein Mann lacht.", "A fellow laughs.[2]"), "piece for '[2]';"));
}

TEST_CASE("A correction with characters that the model cannot write needs new pieces", "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder, 0);
  const std::string source = "저는 책을 사요.\n";
  const std::string target = "I buy 帽子.\n";
  CHECK(contains(error_of([&] { loss_of(request, folder, source, target); }),
                 "target: line 1: the model has no piece for '帽子'; use other characters, or a "
                 "larger --new-pieces"));
  REQUIRE_FALSE(std::filesystem::exists(request.output));
  request.new_pieces = 30;
  CHECK(contains(loss_of(request, folder, source, target), "new pieces: "));
}

TEST_CASE("Corrections that cannot be learned are skipped", "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder, 0);
  const auto loss = loss_of(request, folder, "저는 책을 읽어요.\n", "I read books.\n");
  const std::string source = "\n저는 책을 사요.\n저는 책을 읽어요.\n저는 책을 사요.\n";
  const LogCapture captured;
  CHECK(loss_of(request, folder, source, "A.\nI buy 帽子.\nI read books.\n\n") == loss);
  const auto log = captured.text();
  CHECK(contains(log, "skipped 3 corrections; the first: "));
  CHECK(contains(log, "source: line 1: 0 tokens; a correction needs 1 to 500"));
  std::string many;
  for (int i = 0; i < 1001; ++i) many += "책.\n";
  CHECK(contains(error_of([&] { loss_of(request, folder, many, many); }),
                 "1001 corrections; use 1 to 1000, or train on them with train.initial_model"));
}

TEST_CASE("Corrections need two files, in the model's directions", "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder, 30);
  request.target = request.source;
  CHECK(contains(error_of([&] { adapt_model(request); }), "is both --source and --target"));
  request.source = folder.write("fixed.en", "브롱크스에 가요.\n");
  request.target = folder.write("fixed.ko", "I go to the Bronxville.\n");
  const LogCapture captured;
  adapt_model(request);
  CHECK(contains(captured.text(), "the model translates from ko into en; swap them"));
}

TEST_CASE("Suggestions of a server are corrections", "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder, 0);
  const auto loss =
      loss_of(request, folder, "저는 책을 읽어요.\n저는 책을 사요.\n", "I read.\nI buy.\n");
  const std::string first =
      R"({"q":"저는 책을 읽어요.","s":"I read.","source":"ko","target":"en"})";
  const std::string second = R"({"q":"저는 책을 사요.","s":"I buy.","source":"ko","target":"en"})";
  const auto loss_of_lines = [&](const std::string& lines) {
    request.source = folder.write("suggestions.jsonl", lines);
    request.target.clear();
    request.overwrite = true;
    request.steps = 0;
    return adapt_model(request);
  };
  CHECK(loss_of_lines(first + "\n" + second + "\n") == loss);
  CHECK(contains(error_of([&] { loss_of_lines(first + "\n{}\n"); }),
                 "suggestions.jsonl: line 2: not a suggestion"));
  CHECK(contains(error_of([&] {
                   loss_of_lines(first + "\n" +
                                 R"({"q":"I.","s":"나.","source":"en","target":"ko"})" + "\n");
                 }),
                 "line 2: en to ko, but line 1 is ko to en; keep one direction"));
}

TEST_CASE("New pieces begin as the mean of those that spelled them, and the old ones stay",
          "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder, 30);
  request.steps = 1;
  request.learning_rate = 1e-8;
  const auto before = load_model(request.model, torch::kCPU);
  const auto source = grow_vocabulary(before.source, read_lines(request.source), 30);
  const auto target = grow_vocabulary(before.target, read_lines(request.target), 30);
  REQUIRE(source.spelled.size() > 1);
  REQUIRE(target.spelled.size() > 1);
  REQUIRE(contains(adapt_model(request), "new pieces: " + std::to_string(source.spelled.size()) +
                                             " source, " + std::to_string(target.spelled.size()) +
                                             " target; token loss"));
  const auto after = load_model(request.output, torch::kCPU);
  REQUIRE(after.source.bytes() == source.tokenizer.bytes());
  REQUIRE(after.target.bytes() == target.tokenizer.bytes());
  const auto old = before.network->named_parameters();
  for (const auto& parameter : after.network->named_parameters()) {
    const auto& name = parameter.key();
    INFO(name);
    const auto& rows = old[name];
    const bool is_source = name == "emb_src.weight";
    const bool grows = parameter.value().size(0) != rows.size(0);
    REQUIRE(grows == (is_source || name == "emb_dec.weight" ||
                      name.find("generator.output") != std::string::npos));
    const auto expected =
        grows ? grown_rows(rows, is_source ? source.spelled : target.spelled) : rows;
    REQUIRE(torch::allclose(parameter.value(), expected, 0.0, 1e-6));
  }
}

TEST_CASE("Training stops at the first step at which corrections are learned", "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder, 0);
  request.overwrite = true;
  request.source = folder.write("source", "저는 책을 읽어요.\n");
  request.target = folder.write("target", "I am reading a book.\n");
  const auto number_after = [](const std::string& said, const std::string& text) {
    INFO(said);
    const auto place = said.find(text);
    REQUIRE(place != std::string::npos);
    return std::stod(said.substr(place + text.size()));
  };
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(NMT_SOURCE_DIR);  // where the model's validation texts are
  const auto said = adapt_model(request);
  std::filesystem::current_path(before);
  CHECK(number_after(said, "before, ") < 0.15);
  CHECK(number_after(said, "; on validation sentences ") < 1);
  request.steps = static_cast<int64_t>(number_after(said, " after ")) - 1;
  CHECK(number_after(adapt_model(request), "before, ") >= 0.15);
}

TEST_CASE("A language model, which reads no source, is not adapted", "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder, 30);
  request.model = folder / "lm";
  write_small_model(request.model, language_model_shape());
  REQUIRE(contains(error_of([&] { adapt_model(request); }), "a language model does not translate"));
  REQUIRE_FALSE(std::filesystem::exists(request.output));
}

TEST_CASE("A model that diverges is not written", "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder, 30);
  request.learning_rate = 1;
  REQUIRE(contains(error_of([&] { adapt_model(request); }), "lower --learning-rate"));
  REQUIRE_FALSE(std::filesystem::exists(request.output));
}

TEST_CASE("A model learns corrections by its new pieces", "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder, 30);
  request.steps = 60;
  const auto said = adapt_model(request);
  const std::string after = "before, ";
  REQUIRE(std::stod(said.substr(said.find(after) + after.size())) < 0.15);
  const auto adapted = load_model(request.output, torch::kCPU);
  REQUIRE(adapted.source.encode("브롱크스에").size() == 1);
  REQUIRE(adapted.target.encode("Bronxville").size() == 1);
}

}  // namespace nmt
