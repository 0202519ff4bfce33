// Search and scoring find with the kernels of nn/cuda what they find without. The kernels run on
// the GPU of the tests, or on the CPU.

#include <torch/utils.h>

#include <optional>

#include "decode/batch_search.h"
#include "decode/forced_scoring.h"
#include "decode/model_stepper.h"
#include "nn/cpu_step_operations.h"
#include "nn/seq2seq.h"
#include "support/test_device.h"

namespace nmt {
namespace {

Seq2Seq model_for_kernels(int64_t num_layers) {
  torch::manual_seed(7);
  Seq2SeqOptions options;
  options.dropout = 0.0;
  options.source_vocabulary_size = 20;
  options.target_vocabulary_size = 60;
  options.embedding_size = options.hidden_size = 16;
  options.num_layers = num_layers;
  auto model = make_seq2seq(options);
  model->eval();
  return model;
}

const std::vector<std::vector<int32_t>> kSources = {
    {4, 5, 6, 7, 8}, {8}, {7, 4, 4}, {9, 10, 11, 12, 13, 14, 15}, {4, 4}};

/// Kernels on the GPU of the tests, or on the CPU.
class Kernels {
 public:
  explicit Kernels(Seq2Seq& model) : model_(model) {
    if (test_device().is_cpu()) {
      on_cpu_.emplace();
    } else {
      model->to(test_device());
    }
  }

  ~Kernels() { model_->to(torch::kCPU); }

 private:
  Seq2Seq model_;
  std::optional<CpuKernels> on_cpu_;
};

/// Translates several sentences together; some end before others.
std::vector<std::vector<Hypothesis>> searched(Seq2Seq& model, const SearchOptions& options,
                                              const ConstraintList& constraint_list) {
  ModelStepper stepper(model);
  return search_all(stepper, kSources, 3, options, constraint_list);
}

void require_equal(const std::vector<std::vector<Hypothesis>>& found,
                   const std::vector<std::vector<Hypothesis>>& expected) {
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    REQUIRE(found[i].size() == expected[i].size());
    for (size_t rank = 0; rank < found[i].size(); ++rank) {
      const auto &one = found[i][rank], &other = expected[i][rank];
      CHECK(one.tokens == other.tokens);
      CHECK(one.score == Approx(other.score).epsilon(1e-4));
      CHECK(one.log_probability == Approx(other.log_probability).epsilon(1e-4));
      REQUIRE(one.attention.size() == other.attention.size());
      for (size_t t = 0; t < one.attention.size(); ++t) {
        for (size_t s = 0; s < one.attention[t].size(); ++s) {
          CHECK(one.attention[t][s] == Approx(other.attention[t][s]).margin(1e-5));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("Search with kernels finds what it finds without", "[decode][kernels]") {
  SearchOptions options;
  options.beam_size = 3;
  options.max_length = 12;
  options.n_best = 2;
  ConstraintList constraint_list;
  SECTION("a beam") {}
  SECTION("greedy search, with attention") {
    options.beam_size = options.n_best = 1;
    options.attention = true;
  }
  SECTION("a wide beam, whose best tokens are sorted") { options.beam_size = 20; }
  SECTION("a beam as wide as the vocabulary allows") { options.beam_size = 14; }
  SECTION("the coverage penalty") { options.coverage_penalty = 0.2; }
  SECTION("no repeated n-gram") { options.no_repeat_ngram = 2; }
  SECTION("samples") {
    options.sampling.emplace();
    options.attention = true;
  }
  SECTION("constraints") {
    constraint_list.resize(kSources.size());
    constraint_list[0].prefix = {9, 11};
    constraint_list[2].phrases = {{30, 31}};
  }
  for (const int64_t layers : {1, 2, 3}) {
    auto model = model_for_kernels(layers);
    const auto expected = searched(model, options, constraint_list);
    const Kernels kernels(model);
    require_equal(searched(model, options, constraint_list), expected);
  }
}

TEST_CASE("A vocabulary may be smaller than what a beam would know of it", "[decode][kernels]") {
  torch::manual_seed(7);
  Seq2SeqOptions shape;
  shape.source_vocabulary_size = 20;
  shape.target_vocabulary_size = 10;
  shape.embedding_size = shape.hidden_size = 16;
  auto model = make_seq2seq(shape);
  model->eval();
  SearchOptions options;
  options.max_length = 6;
  options.beam_size = GENERATE(2, 3, 5);
  const auto expected = searched(model, options, {});
  const Kernels kernels(model);
  require_equal(searched(model, options, {}), expected);
}

TEST_CASE("A device extends many beams, batch after batch, while sentences end",
          "[decode][kernels]") {
  auto model = model_for_kernels(2);
  std::vector<std::vector<int32_t>> sources;
  for (int32_t i = 0; i < 400; ++i) {
    sources.push_back(kSources[static_cast<size_t>(i) % 5]);
    sources.back()[0] = 4 + i % 16;
  }
  SearchOptions options;
  options.beam_size = options.n_best = 3;
  options.max_length_ratio = 1.5;  // the shortest sources end first
  options.attention = GENERATE(false, true);
  ModelStepper plain(model);
  const auto expected = search_all(plain, sources, 200, options);
  const Kernels kernels(model);
  ModelStepper stepper(model);
  require_equal(search_all(stepper, sources, 200, options), expected);
  require_equal(search_all(stepper, sources, 200, options), expected);
  ThreadTeam team(3);
  require_equal(search_all(stepper, sources, 400, options, {}, &team), expected);
}

TEST_CASE("Beams advance on several threads as on one", "[decode][kernels]") {
  auto model = model_for_kernels(2);
  std::vector<std::vector<int32_t>> sources;
  for (int32_t i = 0; i < 520; ++i) sources.push_back(kSources[static_cast<size_t>(i) % 5]);
  for (size_t i = 0; i < sources.size(); ++i) sources[i][0] = static_cast<int32_t>(4 + i % 16);
  SearchOptions options;
  options.max_length = 8;
  options.attention = true;
  ThreadTeam team(3);
  ModelStepper stepper(model);
  const auto alone = search_all(stepper, sources, 520, options);
  require_equal(search_all(stepper, sources, 520, options, {}, &team), alone);
  options.sampling.emplace();
  options.n_best = 3;
  const auto samples = search_all(stepper, sources, 520, options);
  require_equal(search_all(stepper, sources, 520, options, {}, &team), samples);
}

TEST_CASE("Scores with kernels are those without", "[decode][kernels]") {
  auto model = model_for_kernels(2);
  const auto batch = make_batch({{4, 5, 6, 7, 8}, {8}, {7, 4, 4}}, {{4}, {5, 6, 7, 7, 7}, {}});
  const auto expected = score_batch(model, batch);
  const Kernels kernels(model);
  const auto found = score_batch(model, batch.to(test_device()));
  for (size_t i = 0; i < expected.size(); ++i) CHECK(found[i] == Approx(expected[i]).epsilon(1e-5));
}

TEST_CASE("A device's log-probabilities are those of the CPU", "[decode][kernels]") {
  const auto device = test_device();
  SearchOptions options;
  options.beam_size = options.n_best = GENERATE(1, 4);
  options.max_length = 12;
  auto reference = model_for_kernels(2);
  for (const auto type : {torch::kFloat, torch::kBFloat16}) {
    if (device.is_cpu() && type != torch::kFloat) continue;
    auto model = model_for_kernels(2);
    model->to(device);
    model->to(type);
    ModelStepper stepper(model);
    const auto found = search_all(stepper, kSources, 3, options);
    for (size_t i = 0; i < found.size(); ++i) {
      for (const auto& hypothesis : found[i]) {
        const auto batch = make_batch({kSources[i]}, {hypothesis.tokens});
        const double tolerance = type == torch::kFloat ? 1e-4 : 2e-2;
        CHECK(hypothesis.log_probability ==
              Approx(score_batch(reference, batch).front()).epsilon(tolerance));
        CHECK(score_batch(model, batch.to(device)).front() ==
              Approx(hypothesis.log_probability).epsilon(tolerance));
      }
    }
  }
}

}  // namespace nmt
