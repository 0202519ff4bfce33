#include <ATen/ATen.h>

#include <tuple>

#include "support/expect_error.h"
#include "support/test_device.h"
#include "train/small_model.h"
#include "train/steps/named_parameters.h"
#include "train/steps/training_step.h"

namespace nmt {
namespace {

TrainConfig training_of(const std::string& engine, const std::string& optimizer) {
  TrainConfig config;
  config.engine = parse_choice<TrainingEngine>(engine).value();
  config.optimizer = parse_choice<OptimizerKind>(optimizer).value();
  config.momentum = 0.9;
  return config;
}

void update(TrainingStep& step, const TrainConfig& config, int times) {
  for (int i = 0; i < times; ++i) {
    step.accumulate_gradient(odd_batch().to(device_of(config.engine)), 0.3);
    step.update(1e-2);
  }
}

/// In training mode on the engine's device.
Seq2Seq model_for(const TrainConfig& config, double dropout = 0.0,
                  TiedEmbeddings tied = TiedEmbeddings::kNone) {
  auto model = small_model(dropout, tied);
  model->to(device_of(config.engine));
  model->train();
  return model;
}

std::vector<torch::Tensor> weights_of(const Seq2Seq& model) {
  std::vector<torch::Tensor> weights;
  for (const auto& parameter : unique_named_parameters(model)) {
    weights.push_back(parameter.tensor.cpu().clone());
  }
  return weights;
}

/// What a state holds stays as it was when training goes on.
TensorFile copy_of(TensorFile state) {
  for (auto& entry : state.tensors) entry.tensor = entry.tensor.clone();
  return state;
}

TensorFile state_of(const TrainingStep& step, const Seq2Seq& model) {
  TensorFile state;
  add_tensors(state, "weights", unique_named_parameters(model));
  step.save_state(state);
  return copy_of(state);
}

std::vector<torch::Tensor> resumed(const TensorFile& state, const TrainConfig& config,
                                   double dropout, TiedEmbeddings tied, int updates) {
  const auto model = model_for(config, dropout, tied);
  const auto step = make_training_step(model, config, device_of(config.engine), 2);
  read_tensors(state, "weights", unique_named_parameters(model));
  step->load_state(state);
  update(*step, config, updates);
  return weights_of(model);
}

}  // namespace

TEST_CASE("A step that is saved and loaded goes on bit for bit", "[train]") {
  const SameBits same_bits;
  for (const char* engine : {"plain", "fused"}) {
    for (const char* optimizer : {"adam", "adamw", "sgd"}) {
      for (const auto tied : {TiedEmbeddings::kNone, TiedEmbeddings::kAll}) {
        for (const int before : {0, 2}) {
          INFO(engine << " " << optimizer << " " << before);
          const auto config = training_of(engine, optimizer);
          const auto model = model_for(config, 0.3, tied);
          const auto step = make_training_step(model, config, device_of(config.engine), 2);
          update(*step, config, before);
          const auto state = state_of(*step, model);
          update(*step, config, 3);
          const auto expected = weights_of(model);
          const auto found = resumed(state, config, 0.3, tied, 3);
          for (size_t i = 0; i < expected.size(); ++i) REQUIRE(torch::equal(found[i], expected[i]));
        }
      }
    }
  }
}

TEST_CASE("A fused step of an objective that draws goes on bit for bit", "[train]") {
  for (const auto* objective : {&r_drop_objective(), &scheduled_sampling_objective()}) {
    INFO(objective->name);
    auto config = training_of("fused", "adam");
    config.objective = objective;
    const auto model = model_for(config, 0.3);
    const auto step = make_training_step(model, config, device_of(config.engine), 2);
    update(*step, config, 2);
    const auto state = state_of(*step, model);
    update(*step, config, 3);
    const auto expected = weights_of(model);
    const auto found = resumed(state, config, 0.3, TiedEmbeddings::kNone, 3);
    for (size_t i = 0; i < expected.size(); ++i) REQUIRE(torch::equal(found[i], expected[i]));
  }
}

TEST_CASE("Either path goes on from the other's state", "[train]") {
  for (const char* optimizer : {"adam", "adamw", "sgd"}) {
    for (const auto& [from, to] : {std::tuple("plain", "fused"), std::tuple("fused", "plain")}) {
      INFO(optimizer << " " << from);
      const auto config = training_of(from, optimizer);
      const auto model = model_for(config);
      const auto step = make_training_step(model, config, device_of(config.engine), 2);
      update(*step, config, 3);
      const auto state = state_of(*step, model);
      update(*step, config, 2);
      const auto expected = weights_of(model);
      const auto found = resumed(state, training_of(to, optimizer), 0, TiedEmbeddings::kNone, 2);
      for (size_t i = 0; i < expected.size(); ++i) {
        REQUIRE(all_close(found[i], expected[i], 1e-3, 2e-5));
      }
    }
  }
}

TEST_CASE("A plain step continues from the state of another kind of device", "[train]") {
  const auto config = training_of("plain", "adam");
  const auto model = model_for(config);
  const auto step = make_training_step(model, config, device_of(config.engine), 2);
  update(*step, config, 2);
  auto state = state_of(*step, model);
  const auto generator = state.at("random_generator");
  for (auto& entry : state.tensors) {
    if (entry.name == "random_generator") entry.tensor = torch::zeros({16}, torch::kByte);
  }
  state.tensors.push_back({"random_generator_cpu", generator});  // as a GPU's has
  update(*step, config, 2);
  const auto expected = weights_of(model);
  const auto found = resumed(state, config, 0, TiedEmbeddings::kNone, 2);
  for (size_t i = 0; i < expected.size(); ++i) REQUIRE(torch::equal(found[i], expected[i]));
}

TEST_CASE("A gradient that is forgotten does not move anything later", "[train]") {
  for (const char* engine : {"plain", "fused"}) {
    std::vector<torch::Tensor> weights[2];
    for (const bool forgets : {false, true}) {
      const auto config = training_of(engine, "sgd");
      const auto model = model_for(config);
      const auto step = make_training_step(model, config, device_of(config.engine), 2);
      if (forgets) {
        step->accumulate_gradient(odd_batch().to(device_of(config.engine)), 100.0);
        step->zero_grad();
      }
      update(*step, config, 2);
      weights[forgets ? 1 : 0] = weights_of(model);
    }
    for (size_t i = 0; i < weights[0].size(); ++i) {
      REQUIRE(torch::equal(weights[0][i], weights[1][i]));
    }
  }
}

TEST_CASE("A step that is reset continues as a new one would", "[train]") {
  for (const char* engine : {"plain", "fused"}) {
    for (const char* optimizer : {"adam", "sgd"}) {
      INFO(engine << " " << optimizer);
      const auto config = training_of(engine, optimizer);
      const auto model = model_for(config);
      const auto step = make_training_step(model, config, device_of(config.engine), 2);
      update(*step, config, 3);
      const auto weights = weights_of(model);
      step->accumulate_gradient(odd_batch().to(device_of(config.engine)), 100.0);
      step->reset();
      update(*step, config, 2);
      const auto other = model_for(config);
      auto parameters = unique_named_parameters(other);
      for (size_t i = 0; i < weights.size(); ++i) parameters[i].tensor.copy_(weights[i]);
      update(*make_training_step(other, config, device_of(config.engine), 2), config, 2);
      const auto expected = weights_of(other);
      const auto found = weights_of(model);
      for (size_t i = 0; i < expected.size(); ++i) REQUIRE(torch::equal(found[i], expected[i]));
    }
  }
}

TEST_CASE("A state that lacks a tensor is refused by its name", "[train]") {
  for (const char* engine : {"plain", "fused"}) {
    const auto config = training_of(engine, "adam");
    const auto model = model_for(config);
    const auto step = make_training_step(model, config, device_of(config.engine), 1);
    REQUIRE(contains(error_of([&] { step->load_state({}); }), "is missing"));
  }
}

}  // namespace nmt
