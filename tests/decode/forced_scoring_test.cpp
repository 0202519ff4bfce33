#include "decode/forced_scoring.h"

#include "decode/batch_search.h"
#include "decode/model_stepper.h"
#include "decode/random_model.h"

namespace nmt {
namespace {

Seq2Seq small_model() { return random_model(51, 9, 8); }

Batch batch_of(const std::vector<std::vector<int32_t>>& sources,
               const std::vector<std::vector<int32_t>>& targets) {
  return make_batch(sources, targets).to(test_device());
}

}  // namespace

TEST_CASE("A search's log-probability is the forced score of its tokens", "[decode]") {
  auto model = small_model();
  ModelStepper stepper(model);
  const std::vector<std::vector<int32_t>> sources = {{4, 5, 6, 7, 8}, {8}, {7, 4, 4}};
  SearchOptions options;
  options.beam_size = 4;
  options.n_best = 4;
  options.max_length = 9;
  const auto found = search_all(stepper, sources, 2, options);
  for (size_t i = 0; i < sources.size(); ++i) {
    for (const auto& hypothesis : found[i]) {
      const auto score = score_batch(model, batch_of({sources[i]}, {hypothesis.tokens})).front();
      REQUIRE(score == Approx(hypothesis.log_probability).epsilon(1e-4));
    }
  }
}

TEST_CASE("An ensemble's log-probability is the forced score of its tokens", "[decode]") {
  std::vector<Seq2Seq> models = {small_model(), random_model(52, 9, 8)};
  const std::vector<double> weights = {0.3, 0.7};
  std::vector<std::unique_ptr<Stepper>> members;
  for (const auto& model : models) members.push_back(std::make_unique<ModelStepper>(model));
  EnsembleStepper stepper(std::move(members), weights);
  const std::vector<std::vector<int32_t>> sources = {{4, 5, 6, 7, 8}, {8}};
  SearchOptions options;
  options.max_length = 9;
  const auto found = search_all(stepper, sources, 2, options);
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto& best = found[i].front();
    const auto batch = batch_of({sources[i]}, {best.tokens});
    REQUIRE(score_batch(models, weights, batch).front() ==
            Approx(best.log_probability).epsilon(1e-4));
    REQUIRE(score_batch(models, {1 - 1e-12, 1e-12}, batch).front() ==
            Approx(score_batch(models[0], batch).front()).epsilon(tolerance(1e-6)));
  }
}

TEST_CASE("Scores do not depend on the batch", "[decode]") {
  auto model = small_model();
  const std::vector<std::vector<int32_t>> sources = {{4, 5, 6, 7, 8}, {8}, {7, 4, 4}};
  const std::vector<std::vector<int32_t>> targets = {{4}, {5, 6, 7, 7, 7}, {}};
  const auto together = score_batch(model, batch_of(sources, targets));
  for (size_t i = 0; i < 3; ++i) {
    REQUIRE(score_batch(model, batch_of({sources[i]}, {targets[i]})).front() ==
            Approx(together[i]).epsilon(tolerance(1e-5)));
  }
}

}  // namespace nmt
