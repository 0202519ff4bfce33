#include "train/steps/optimizer.h"

#include <ATen/ATen.h>

#include "support/test_device.h"

namespace nmt {

TEST_CASE("Gradients are scaled to the greatest norm and left alone below it", "[train]") {
  auto a = on_device(torch::zeros({2})).requires_grad_();
  auto b = on_device(torch::zeros({1})).requires_grad_();
  const auto set = [&] {
    a.mutable_grad() = on_device(torch::tensor({3.0F, 0.0F}));
    b.mutable_grad() = on_device(torch::tensor({4.0F}));
  };
  set();
  REQUIRE(clip_gradients({a, b}, 1.0) == Approx(5.0));
  REQUIRE(a.grad()[0].item<float>() == Approx(0.6));
  REQUIRE(b.grad()[0].item<float>() == Approx(0.8));
  set();
  REQUIRE(clip_gradients({a, b}, 10.0) == Approx(5.0));
  REQUIRE(a.grad()[0].item<float>() == 3.0F);
  REQUIRE(clip_gradients({a, b}, 0.0) == Approx(5.0));
  REQUIRE(b.grad()[0].item<float>() == 4.0F);
}

TEST_CASE("Every optimizer takes the step that its equation says", "[train]") {
  const auto step = [](const std::string& name, double weight_decay) {
    TrainConfig config;
    config.optimizer = parse_choice<OptimizerKind>(name).value();
    config.weight_decay = weight_decay;
    auto x = on_device(torch::tensor({2.0})).requires_grad_();
    auto optimizer = make_optimizer({x}, config);
    set_learning_rate(*optimizer, 0.1, {1.0});
    x.mutable_grad() = on_device(torch::tensor({4.0}));
    optimizer->step();
    if (name == "adagrad") {
      x.mutable_grad() = on_device(torch::tensor({3.0}));
      optimizer->step();
    }
    return x.item<double>();
  };
  REQUIRE(step("sgd", 0.0) == Approx(2.0 - 0.1 * 4.0));
  REQUIRE(step("sgd", 0.5) == Approx(2.0 - 0.1 * (4.0 + 0.5 * 2.0)));
  REQUIRE(step("adam", 0.0) == Approx(2.0 - 0.1));  // the first step is the rate itself
  REQUIRE(step("adamw", 0.5) == Approx(2.0 * (1 - 0.1 * 0.5) - 0.1));
  // 4 / √16, then 3 / √(16 + 9).
  REQUIRE(step("adagrad", 0.0) == Approx(2.0 - 0.1 - 0.1 * 3.0 / 5.0));
}

TEST_CASE("Adafactor takes the steps that algorithms 4 and 5 say", "[train]") {
  TrainConfig config;
  config.optimizer = OptimizerKind::kAdafactor;
  config.weight_decay = 0.5;
  auto matrix = on_device(torch::tensor({{1.0, 2.0}, {3.0, 4.0}})).requires_grad_();
  auto vector = on_device(torch::tensor({2.0})).requires_grad_();
  auto optimizer = make_optimizer({matrix, vector}, config);
  const auto step = [&](const torch::Tensor& gradient, double of_vector) {
    matrix.mutable_grad() = on_device(gradient);
    vector.mutable_grad() = on_device(torch::tensor({of_vector}));
    set_learning_rate(*optimizer, 0.1, {1.0, 1.0});
    optimizer->step();
  };
  const auto require_close = [](const torch::Tensor& found, const torch::Tensor& expected) {
    INFO(found << " and not " << expected);
    REQUIRE(all_close(found, expected, 1e-4, 1e-5));
  };
  // β̂₂ = 0. Row means 2.5, 12.5; column means 5, 10: V = {{5/3, 10/3}, {25/3, 50/3}}.
  step(torch::tensor({{1.0F, 2.0F}, {3.0F, 4.0F}}), 4.0);
  const auto first = torch::tensor({{0.774597, 1.095445}, {1.039230, 0.979796}});
  const auto after_first = torch::tensor({{1.0, 2.0}, {3.0, 4.0}}) * 0.95 - 0.1 * first;
  require_close(matrix, after_first);
  REQUIRE(vector.item<double>() == Approx(2.0 * 0.95 - 0.1));
  // β̂₂ = 1 − 2^−0.8 = 0.425651. Row means 29.78158, 34.03809; column means 30.84571, 32.97396: V
  // is 28.78844 and 35.17309 on the diagonal. The update's RMS of 1.256652 is clipped to 1.
  step(torch::tensor({{10.0F, 0.0F}, {0.0F, 10.0F}}), 3.0);
  const auto second = torch::tensor({{1.483119, 0.0}, {0.0, 1.341776}});
  require_close(matrix, after_first * 0.95 - 0.1 * second);
  // V = 0.425651 · 16 + 0.574349 · 9 = 11.97956
  REQUIRE(vector.item<double>() == Approx(1.8 * 0.95 - 0.1 * 3.0 / 3.461149).epsilon(1e-5));
}

TEST_CASE("Adafactor leaves what never has a gradient where it is", "[train]") {
  TrainConfig config;
  config.optimizer = OptimizerKind::kAdafactor;
  auto matrix = on_device(torch::tensor({{1.0F, 2.0F}, {3.0F, 4.0F}})).requires_grad_();
  auto optimizer = make_optimizer({matrix}, config);
  set_learning_rate(*optimizer, 0.1, {1.0});
  for (int i = 0; i < 3; ++i) {
    matrix.mutable_grad() = on_device(torch::tensor({{0.0F, 0.0F}, {0.0F, 0.5F}}));
    optimizer->step();
  }
  REQUIRE(torch::equal(matrix.detach().view(-1).narrow(0, 0, 3).cpu(),
                       torch::tensor({1.0F, 2.0F, 3.0F})));
  REQUIRE(matrix[1][1].item<float>() < 4.0F);
}

}  // namespace nmt
