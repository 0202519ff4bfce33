#include "train/steps/weight_average.h"

#include <ATen/ATen.h>

#include "support/torch_catch.h"
#include "train/small_model.h"
#include "train/steps/named_parameters.h"

namespace nmt {
namespace {

Seq2Seq model_on_device() {
  auto model = small_model();
  model->to(test_device());
  return model;
}

torch::Tensor first_weights(const Seq2Seq& model) {
  return unique_named_parameters(model).front().tensor;
}

}  // namespace

TEST_CASE("The average follows the weights: fast at first, then at its decay", "[train]") {
  const auto model = model_on_device();
  auto weights = first_weights(model);
  weights.fill_(1.0);
  WeightAverage average(model, 0.25);
  weights.fill_(2.0);
  average.update(model);  // decay 2/11
  average.exchange(model);
  REQUIRE(weights.flatten()[0].item<double>() == Approx(2.0 - 2.0 / 11));
  average.exchange(model);
  average.update(model);  // decay 3/12 = 0.25
  average.update(model);  // decay 0.25, not 4/13
  average.exchange(model);
  REQUIRE(weights.flatten()[0].item<double>() == Approx(2.0 - 2.0 / 11 / 16));
}

TEST_CASE("The model has its averaged weights for a while only", "[train]") {
  const auto model = model_on_device();
  const auto weights = first_weights(model);
  const auto before = weights.clone();
  WeightAverage average(model, 0.9);
  weights.add(0);
  auto changed = weights;
  changed.add_(1.0);
  const auto after = weights.clone();
  {
    const AveragedWeights averaged(&average, model);
    REQUIRE(torch::equal(weights, before));
  }
  REQUIRE(torch::equal(weights, after));
  const AveragedWeights none(nullptr, model);
  REQUIRE(torch::equal(weights, after));
}

TEST_CASE("A saved average goes on where it was", "[train]") {
  const auto model = model_on_device();
  WeightAverage average(model, 0.9);
  auto weights = first_weights(model);
  weights.fill_(3.0);
  average.update(model);
  TensorFile state;
  average.save_state(state);
  WeightAverage restored(model, 0.9);
  restored.load_state(model, state);
  for (auto* each : {&average, &restored}) each->update(model);
  average.exchange(model);
  const auto expected = weights.clone();
  average.exchange(model);
  restored.exchange(model);
  REQUIRE(torch::equal(weights, expected));
}

}  // namespace nmt
