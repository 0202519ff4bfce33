#include "train/steps/training_step.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "kernels/bfloat16.h"
#include "support/expect_error.h"
#include "support/test_device.h"
#include "train/small_model.h"
#include "train/steps/mixed_precision.h"
#include "train/steps/named_parameters.h"

namespace nmt {
namespace {

/// On the engine's device.
std::unique_ptr<TrainingStep> step_of(const TrainConfig& config, int threads, Seq2Seq model) {
  const auto device = device_of(config.engine);
  model->to(device);
  return make_training_step(model, config, device, threads);
}

Batch batch_for(const TrainConfig& config) { return odd_batch().to(device_of(config.engine)); }

std::vector<torch::Tensor> after_updates(const TrainConfig& config, int threads, Seq2Seq model) {
  const auto step = step_of(config, threads, model);
  for (const double rate : {1e-2, 2e-2, 5e-3, 1e-2}) {
    step->accumulate_gradient(batch_for(config), 0.3);
    step->accumulate_gradient(batch_for(config), 0.2);
    step->update(rate);
  }
  std::vector<torch::Tensor> values;
  for (const auto& parameter : unique_parameters(*model))
    values.push_back(parameter.detach().cpu().clone());
  return values;
}

TrainConfig regular_training(const std::string& engine, const std::string& optimizer) {
  TrainConfig config;
  config.engine = parse_choice<TrainingEngine>(engine).value();
  config.optimizer = parse_choice<OptimizerKind>(optimizer).value();
  config.label_smoothing = 0.1;
  config.clip_norm = 2.0;
  config.momentum = 0.9;
  config.weight_decay = 0.05;
  return config;
}

}  // namespace

TEST_CASE("Both paths move the parameters alike, with every optimizer and any threads",
          "[train][fused]") {
  for (const char* optimizer : {"adam", "adamw", "sgd"}) {
    const auto expected = after_updates(regular_training("plain", optimizer), 1, small_model());
    for (const int threads : {1, 2, 3, 7}) {
      INFO(optimizer << "  threads " << threads);
      const auto found =
          after_updates(regular_training("fused", optimizer), threads, small_model());
      for (size_t i = 0; i < expected.size(); ++i) {
        REQUIRE(all_close(found[i], expected[i], 1e-3, 2e-5));
      }
    }
  }
}

TEST_CASE("General attention's matrix learns at 1/√H of the rate under Adam, at the rate with sgd",
          "[train][fused]") {
  constexpr double kRate = 1e-2;
  const auto longest_move = [&](const std::string& engine, const std::string& optimizer,
                                const std::string& name) {
    TrainConfig config;
    config.engine = parse_choice<TrainingEngine>(engine).value();
    config.optimizer = parse_choice<OptimizerKind>(optimizer).value();
    config.clip_norm = 0.0;
    auto model = small_model();
    const auto step = step_of(config, 2, model);
    const auto parameter = model->named_parameters()[name];
    const auto before = parameter.detach().clone();
    step->accumulate_gradient(batch_for(config), 1.0);
    step->update(kRate);
    return (parameter.detach() - before).abs().max().item<double>();
  };
  for (const char* engine : {"plain", "fused"}) {
    for (const char* optimizer : {"adam", "adamw"}) {  // whose first step is the rate itself
      INFO(optimizer << " " << engine);
      REQUIRE(longest_move(engine, optimizer, "attn.linear.weight") ==
              Approx(kRate / std::sqrt(20.0)).epsilon(0.01));
      REQUIRE(longest_move(engine, optimizer, "concat.weight") == Approx(kRate).epsilon(0.01));
    }
  }
  const auto model = small_model();
  REQUIRE(learning_rate_factors(model, OptimizerKind::kSgd) ==
          std::vector<double>(unique_parameters(*model).size(), 1.0));
}

TEST_CASE("Frozen parameters stay, and their gradients do not count", "[train][fused]") {
  for (const char* optimizer : {"adam", "adamw", "sgd"}) {
    std::map<std::string, double> norms;
    for (const char* engine : {"plain", "fused"}) {
      INFO(optimizer << " " << engine);
      auto config = regular_training(engine, optimizer);
      config.freeze = {"emb_*", "attn.linear.weight"};
      auto model = small_model();
      const auto step = step_of(config, 2, model);
      std::vector<torch::Tensor> before;
      for (const auto& [name, tensor] : unique_named_parameters(model)) {
        before.push_back(tensor.clone());
      }
      step->accumulate_gradient(batch_for(config), 1.0);
      norms[engine] = step->update(1e-2);
      step->accumulate_gradient(batch_for(config), 1.0);
      step->update(1e-2);
      size_t i = 0;
      for (const auto& [name, tensor] : unique_named_parameters(model)) {
        INFO(name);
        const bool frozen = name.substr(0, 4) == "emb_" || name == "attn.linear.weight";
        CHECK(torch::equal(tensor, before[i++]) == frozen);
      }
    }
    // The norm without the frozen ones', which LibTorch's own gradients give.
    auto model = small_model();
    auto config = regular_training("plain", optimizer);
    double squares = 0.0;
    const auto objective = make_objective(config, {}, device_of(config.engine));
    model->to(device_of(config.engine));
    objective->loss(model, batch_for(config)).objective.backward();
    for (const auto& item : model->named_parameters()) {
      if (item.key().substr(0, 4) == "emb_" || item.key() == "attn.linear.weight") continue;
      squares += std::pow(item.value().grad().norm().item<double>(), 2);
    }
    CHECK(norms["plain"] == Approx(std::sqrt(squares)).epsilon(1e-4));
    CHECK(norms["fused"] == Approx(std::sqrt(squares)).epsilon(1e-3));
  }
}

TEST_CASE("A tied matrix is frozen with its first name", "[train][fused]") {
  auto config = regular_training("fused", "adam");
  config.freeze = {"emb_src.weight"};
  auto model = small_model(0.0, TiedEmbeddings::kAll);
  const auto before = model->named_parameters()["emb_dec.weight"].detach().clone();
  const auto step = step_of(config, 2, model);
  step->accumulate_gradient(batch_for(config), 1.0);
  step->update(1e-2);
  CHECK(torch::equal(model->named_parameters()["emb_dec.weight"], before));
}

TEST_CASE("A pattern that freezes nothing, or everything, is refused", "[train]") {
  const std::vector<std::string> names = {"a.weight", "a.bias", "b"};
  CHECK(frozen_parameters(names, {}) == std::vector<bool>{false, false, false});
  CHECK(frozen_parameters(names, {"a.*"}) == std::vector<bool>{true, true, false});
  CHECK(frozen_parameters(names, {"*bias", "b"}) == std::vector<bool>{false, true, true});
  CHECK(error_of([&] {
          frozen_parameters(names, {"a.*", "encoder.*"});
        }) ==
        "train.freeze: 'encoder.*' matches no parameter; use names or patterns of these: a.weight, "
        "a.bias, b");
  CHECK(error_of([&] { frozen_parameters(names, {"*"}); }) ==
        "train.freeze: nothing is left to train; leave out a parameter");
  auto config = regular_training("auto", "adam");
  config.freeze = {"no_such.*"};
  const auto error =
      error_of([&] { require_training_step(small_model()->options(), config, torch::kCPU); });
  for (const auto& item : unique_named_parameters(small_model())) CHECK(contains(error, item.name));
}

TEST_CASE("The fused engine does the same every time, dropout included", "[train][fused]") {
  const auto config = regular_training("fused", "adam");
  const auto first = after_updates(config, 3, small_model(0.3));
  const auto second = after_updates(config, 3, small_model(0.3));
  for (size_t i = 0; i < first.size(); ++i) REQUIRE(torch::equal(first[i], second[i]));
}

TEST_CASE("Every bit of the seed reaches the fused engine's dropout", "[train][fused]") {
  auto config = regular_training("fused", "adam");
  std::vector<torch::Tensor> found;
  for (const int bit : {0, 1, 23, 24, 39, 40, 62}) {
    config.seed = int64_t{1} << bit;
    found.push_back(after_updates(config, 1, small_model(0.3)).front());
    for (size_t i = 0; i + 1 < found.size(); ++i) {
      INFO("bit " << bit << ", case " << i);
      REQUIRE_FALSE(torch::equal(found[i], found.back()));
    }
  }
}

TEST_CASE("What a step has trained outlives it", "[train][fused]") {
  auto config = regular_training("fused", "adam");
  auto model = small_model();
  const auto values = after_updates(config, 2, model);                       // whose step is gone
  const std::vector<torch::Tensor> others(8, torch::full({1 << 16}, 7.0F));  // where it was
  const auto parameters = unique_parameters(*model);
  for (size_t i = 0; i < values.size(); ++i) REQUIRE(torch::equal(parameters[i], values[i]));
}

TEST_CASE("Both engines report the same loss and norm", "[train][fused]") {
  double loss[2];
  double norm[2];
  int path = 0;
  for (const char* engine : {"plain", "fused"}) {
    const auto config = regular_training(engine, "adam");
    const auto step = step_of(config, 2, small_model());
    loss[path] = step->accumulate_gradient(batch_for(config), 1.0);
    norm[path] = step->update(1e-3);
    ++path;
  }
  REQUIRE(loss[1] == Approx(loss[0]).epsilon(tolerance(1e-6)));
  REQUIRE(norm[1] == Approx(norm[0]).epsilon(tolerance(1e-5)));
}

TEST_CASE("A gradient that is not finite moves nothing and is forgotten", "[train][fused]") {
  for (const char* engine : {"plain", "fused"}) {
    INFO(engine);
    const auto config = regular_training(engine, "adam");
    auto model = small_model();
    const auto step = step_of(config, 2, model);
    const auto parameters = unique_parameters(*model);
    std::vector<torch::Tensor> before;
    for (const auto& parameter : parameters) before.push_back(parameter.detach().clone());
    step->accumulate_gradient(batch_for(config), std::numeric_limits<double>::infinity());
    REQUIRE_FALSE(std::isfinite(step->update(1e-2)));
    for (size_t i = 0; i < before.size(); ++i) REQUIRE(torch::equal(parameters[i], before[i]));
    step->accumulate_gradient(batch_for(config), 1.0);
    REQUIRE(std::isfinite(step->update(1e-2)));
    REQUIRE_FALSE(torch::equal(parameters[0], before[0]));
  }
}

TEST_CASE("The fused engine is refused where it cannot compute", "[train][fused]") {
  const auto config = regular_training("fused", "adam");
  REQUIRE(contains(
      error_of([&] { make_training_step(small_model(), config, torch::Device("cuda"), 1); }),
      "train.engine"));
}

TEST_CASE("TF32 is used in products and in cuDNN's layers", "[train]") {
  TrainConfig config;
  config.engine = TrainingEngine::kPlain;
  for (const bool is_tf32 : {true, false}) {
    config.precision = is_tf32 ? TrainingPrecision::kTf32 : TrainingPrecision::kFloat32;
    make_training_step(small_model(), config, torch::Device("cuda"), 1);
    CHECK(at::globalContext().allowTF32CuBLAS() == is_tf32);
    CHECK(at::globalContext().allowTF32CuDNN() == is_tf32);
  }
}

TEST_CASE("Mixed precision trains nearly alike on both engines", "[train][fused]") {
  if (!has_bfloat16_products()) SKIP("this processor has no bfloat16 products");
  const auto expected = after_updates(regular_training("plain", "sgd"), 1, small_model());
  for (const char* engine : {"plain", "fused"}) {
    auto config = regular_training(engine, "sgd");
    config.precision = TrainingPrecision::kBfloat16;
    const auto found = after_updates(config, 2, small_model());
    double largest = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      INFO(engine << "  parameter " << i);
      REQUIRE(found[i].scalar_type() == torch::kFloat);
      const double difference = (found[i] - expected[i]).abs().max().item<double>();
      REQUIRE(difference < 5e-3);
      largest = std::max(largest, difference);
    }
    REQUIRE(largest > 0);  // it was in force
  }
}

TEST_CASE("float16 on a CPU is refused", "[train]") {
  for (const char* engine : {"plain", "fused", "auto"}) {
    auto config = regular_training(engine, "adam");
    config.precision = TrainingPrecision::kFloat16;
    const auto message =
        error_of([&] { make_training_step(small_model(), config, torch::kCPU, 1); });
    REQUIRE(contains(message, "train.precision: float16"));
  }
}

TEST_CASE("The scale of the loss falls at overflow and grows again", "[train]") {
  LossScale scale;
  const double first = scale.value();
  scale.observe(false);
  scale.observe(false);
  REQUIRE(scale.value() == first / 4);
  for (int64_t i = 0; i + 1 < LossScale::kUpdatesToGrow; ++i) scale.observe(true);
  REQUIRE(scale.value() == first / 4);
  scale.observe(true);
  REQUIRE(scale.value() == first / 2);
  for (int i = 0; i < 100; ++i) scale.observe(false);
  REQUIRE(scale.value() == 1);
}

}  // namespace nmt
