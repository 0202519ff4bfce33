#include <cmath>

#include "decode/batch_search.h"
#include "decode/model_stepper.h"
#include "decode/scripted_stepper.h"

namespace nmt {
namespace {

/// a, b or the end; another language's statistics than those of `fluent`.
std::vector<double> faithful(int64_t, const std::vector<int64_t>&) {
  return {0.01, 0.01, 0.01, 0.07, 0.6, 0.3};
}

/// b after BOS, the end after b.
std::vector<double> fluent(int64_t, const std::vector<int64_t>& prefix) {
  if (prefix.back() == kBosId) return {0.01, 0.01, 0.01, 0.07, 0.1, 0.8};
  return {0.01, 0.01, 0.01, 0.9, 0.035, 0.035};
}

/// Looks at the text alone: a language model.
std::vector<double> sourceless(int64_t, const std::vector<int64_t>& prefix) {
  return pseudo_random_script(77, prefix);
}

EnsembleStepper fused(ScriptedStepper::Script translator, ScriptedStepper::Script language_model,
                      double weight) {
  std::vector<std::unique_ptr<Stepper>> members;
  members.push_back(std::make_unique<ScriptedStepper>(translator));
  members.push_back(std::make_unique<ScriptedStepper>(language_model));
  return {std::move(members), {1.0}, weight};
}

SearchOptions plain_sums(int64_t beam_size) {
  SearchOptions options;
  options.beam_size = beam_size;
  options.n_best = beam_size;
  options.length_penalty = 0.0;
  options.max_length = 3;
  return options;
}

const torch::Tensor kTwoSources = torch::tensor({{4}, {5}}, at::kLong);
const torch::Tensor kTwoLengths = torch::tensor({1, 1}, at::kLong);

}  // namespace

TEST_CASE("A language model's log-probabilities are added by their weight", "[decode][fusion]") {
  auto stepper = fused(faithful, fluent, 0.5);
  stepper.start(kTwoSources, kTwoLengths);
  const auto output = stepper.advance(torch::tensor({int64_t{kBosId}, int64_t{kBosId}}));
  const auto row = output.log_probabilities[1];
  CHECK(row[4].item<double>() == Approx(std::log(0.6) + 0.5 * std::log(0.1)));  // -1.662
  CHECK(row[5].item<double>() == Approx(std::log(0.3) + 0.5 * std::log(0.8)));  // -1.316
  CHECK(output.attention.defined());
}

TEST_CASE("Search with a language model finds what both like", "[decode][fusion]") {
  ScriptedStepper alone(faithful);
  REQUIRE(search_batch(alone, kTwoSources, kTwoLengths, plain_sums(2))[0][0].tokens ==
          std::vector<int32_t>{4, 4, 4});
  auto stepper = fused(faithful, fluent, 1.0);
  const auto best = search_batch(stepper, kTwoSources, kTwoLengths, plain_sums(2))[0][0];
  REQUIRE(best.tokens == std::vector<int32_t>{5});
  REQUIRE(best.log_probability == Approx(std::log(0.3 * 0.8) + std::log(0.07 * 0.9)));
}

TEST_CASE("The language model follows each hypothesis", "[decode][fusion]") {
  constexpr double kWeight = 0.7;
  auto stepper = fused(pseudo_random_script, sourceless, kWeight);
  const auto found = search_batch(stepper, kTwoSources, kTwoLengths, plain_sums(4));
  for (int64_t sentence = 0; sentence < 2; ++sentence) {
    for (const auto& hypothesis : found[static_cast<size_t>(sentence)]) {
      std::vector<int64_t> prefix = {kBosId};
      double expected = 0.0;
      const auto take = [&](int64_t token) {
        const auto at = static_cast<size_t>(token);
        expected += std::log(pseudo_random_script(4 + sentence, prefix)[at]) +
                    kWeight * std::log(sourceless(0, prefix)[at]);
        prefix.push_back(token);
      };
      for (const auto token : hypothesis.tokens) take(token);
      take(kEosId);
      REQUIRE(hypothesis.log_probability == Approx(expected).epsilon(1e-5));
    }
  }
}

TEST_CASE("A language model without weight changes nothing", "[decode][fusion]") {
  ScriptedStepper alone(pseudo_random_script);
  auto stepper = fused(pseudo_random_script, sourceless, 0.0);
  const auto expected = search_batch(alone, kTwoSources, kTwoLengths, plain_sums(3));
  const auto found = search_batch(stepper, kTwoSources, kTwoLengths, plain_sums(3));
  for (size_t i = 0; i < expected.size(); ++i) {
    for (size_t k = 0; k < expected[i].size(); ++k) {
      REQUIRE(found[i][k].tokens == expected[i][k].tokens);
      REQUIRE(found[i][k].score == expected[i][k].score);
    }
  }
}

}  // namespace nmt
