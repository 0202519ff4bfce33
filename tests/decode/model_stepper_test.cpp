#include "decode/model_stepper.h"

#include <ATen/ATen.h>

#include "decode/random_model.h"
#include "decode/scripted_stepper.h"
#include "support/test_device.h"

namespace nmt {
namespace {

const torch::Tensor kSource = torch::tensor({{4, 5, 6}, {7, 8, 0}}, at::kLong);
const torch::Tensor kLengths = torch::tensor({3, 2}, at::kLong);

/// Two steps with a change of rows in between: all that search does.
std::vector<StepperOutput> two_steps(Stepper& stepper) {
  const at::NoGradGuard no_gradients;
  stepper.start(kSource, kLengths);
  const auto first = stepper.advance(torch::tensor({2, 2}, at::kLong));
  stepper.select(torch::tensor({1, 1}, at::kLong), torch::tensor({1}, at::kLong));
  return {first, stepper.advance(torch::tensor({4, 5}, at::kLong))};
}

std::unique_ptr<Stepper> stepper_of(uint64_t seed) {
  return std::make_unique<ModelStepper>(random_model(seed, 9, 7));
}

std::vector<StepperOutput> ensemble_steps(const std::vector<uint64_t>& seeds,
                                          const std::vector<double>& weights) {
  std::vector<std::unique_ptr<Stepper>> members;
  for (const auto seed : seeds) members.push_back(stepper_of(seed));
  EnsembleStepper ensemble(std::move(members), weights);
  return two_steps(ensemble);
}

}  // namespace

TEST_CASE("An ensemble of a model with itself steps as the model does", "[decode]") {
  const auto alone = two_steps(*stepper_of(1));
  const auto ensemble = ensemble_steps({1, 1, 1}, {0.2, 0.5, 0.3});
  for (size_t i = 0; i < alone.size(); ++i) {
    REQUIRE(all_close(ensemble[i].log_probabilities, alone[i].log_probabilities, 1e-5, 1e-6));
    REQUIRE(all_close(ensemble[i].attention, alone[i].attention, 1e-5, 1e-6));
  }
}

TEST_CASE("An ensemble's probability is the weighted mean of its members'", "[decode]") {
  const auto first = two_steps(*stepper_of(1));
  const auto second = two_steps(*stepper_of(2));
  const auto ensemble = ensemble_steps({1, 2}, {0.75, 0.25});
  for (size_t i = 0; i < first.size(); ++i) {
    const auto expected = 0.75 * first[i].log_probabilities.exp() +
                          0.25 * second[i].log_probabilities.exp();  // [N, V]
    const auto found = ensemble[i].log_probabilities.exp();
    REQUIRE(all_close(found, expected, 1e-5, 1e-7));
    REQUIRE(all_close(found.sum(1), torch::ones({2}), 1e-5));
    REQUIRE_FALSE(all_close(found, first[i].log_probabilities.exp(), 1e-2, 1e-3));
    REQUIRE(all_close(ensemble[i].attention, (first[i].attention + second[i].attention) / 2, 1e-5,
                      1e-7));
  }
}

TEST_CASE("An ensemble of scripted steppers is worked out by hand", "[decode]") {
  const auto sure = [](int64_t, const std::vector<int64_t>&) {
    return std::vector<double>{0.0, 0.0, 0.0, 0.9, 0.1, 0.0};
  };
  const auto torn = [](int64_t, const std::vector<int64_t>&) {
    return std::vector<double>{0.0, 0.0, 0.0, 0.2, 0.5, 0.3};
  };
  std::vector<std::unique_ptr<Stepper>> members;
  members.push_back(std::make_unique<ScriptedStepper>(sure));
  members.push_back(std::make_unique<ScriptedStepper>(torn));
  EnsembleStepper ensemble(std::move(members), {0.5, 0.5});
  ensemble.start(kSource, kLengths);
  const auto output = ensemble.advance(torch::tensor({2, 2}, at::kLong));
  const auto expected = torch::tensor({0.0, 0.0, 0.0, 0.55, 0.3, 0.15}, at::kDouble);
  REQUIRE(all_close(output.log_probabilities[1].exp(), expected));
}

}  // namespace nmt
