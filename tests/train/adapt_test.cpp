#include "train/adapt.h"

#include <ATen/ATen.h>

#include <string>
#include <vector>

#include "checkpoint/model.h"
#include "export/small_model.h"
#include "files/line_reader.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
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

AdaptRequest corrections(const TemporaryFolder& folder) {
  AdaptRequest request;
  request.model = NMT_SOURCE_DIR "/models/sample";
  request.output = folder / "adapted";
  request.source = folder.write("source", "브롱크스에 가요.\n브롱크스에 와요.\n");
  request.target = folder.write("target", "I go to the Bronxville.\nThe Bronxville comes.\n");
  request.new_pieces = 30;
  request.threads = 1;
  return request;
}

}  // namespace

TEST_CASE("New pieces begin as the mean of those that spelled them, and the old ones stay",
          "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder);
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

TEST_CASE("A language model, which reads no source, is not adapted", "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder);
  request.model = folder / "lm";
  write_small_model(request.model, language_model_shape());
  REQUIRE(contains(error_of([&] { adapt_model(request); }), "a language model does not translate"));
  REQUIRE_FALSE(std::filesystem::exists(request.output));
}

TEST_CASE("A model that diverges is not written", "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder);
  request.learning_rate = 1;
  REQUIRE(contains(error_of([&] { adapt_model(request); }), "lower --learning-rate"));
  REQUIRE_FALSE(std::filesystem::exists(request.output));
}

TEST_CASE("A model learns corrections by its new pieces", "[train]") {
  const TemporaryFolder folder;
  auto request = corrections(folder);
  request.steps = 60;
  const auto said = adapt_model(request);
  const std::string after = "before, ";
  REQUIRE(std::stod(said.substr(said.find(after) + after.size())) < 0.05);
  const auto adapted = load_model(request.output, torch::kCPU);
  REQUIRE(adapted.source.encode("브롱크스에").size() == 1);
  REQUIRE(adapted.target.encode("Bronxville").size() == 1);
}

}  // namespace nmt
