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
    return x.item<double>();
  };
  REQUIRE(step("sgd", 0.0) == Approx(2.0 - 0.1 * 4.0));
  REQUIRE(step("sgd", 0.5) == Approx(2.0 - 0.1 * (4.0 + 0.5 * 2.0)));
  REQUIRE(step("adam", 0.0) == Approx(2.0 - 0.1));  // the first step is the rate itself
  REQUIRE(step("adamw", 0.5) == Approx(2.0 * (1 - 0.1 * 0.5) - 0.1));
}

}  // namespace nmt
