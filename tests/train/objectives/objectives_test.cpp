#include <ATen/ATen.h>
#include <torch/utils.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "decode/batch_search.h"
#include "decode/model_stepper.h"
#include "kernels/bfloat16.h"
#include "metrics/bleu.h"
#include "support/sample.h"
#include "support/test_device.h"
#include "text/special_tokens.h"
#include "train/objectives/objective.h"
#include "train/small_model.h"
#include "train/steps/fused_training.h"
#include "train/steps/training_step.h"

namespace nmt {
namespace {

/// A model whose target vocabulary is the sample's.
Seq2Seq speaking_model(double dropout = 0.0) {
  torch::manual_seed(71);
  Seq2SeqOptions options;
  options.dropout = 0.0;
  options.source_vocabulary_size = 32;
  options.target_vocabulary_size = sample_tokenizers().target.vocabulary_size();
  options.embedding_size = 16;
  options.hidden_size = 16;
  options.dropout = dropout;
  auto model = make_seq2seq(options);
  model->train();
  return model;
}

Batch spoken_batch() {
  const auto target = sample_tokenizers().target;
  return make_batch({{4, 5, 6}, {7, 8}},
                    {target.encode("I read a book."), target.encode("We like the sea.")});
}

TrainConfig training_for(const std::string& objective) {
  TrainConfig config;
  config.objective = find_kind(objective_kinds(), objective);
  return config;
}

double objective_of(const TrainConfig& config, Seq2Seq model, const Batch& batch) {
  model->to(test_device());
  torch::manual_seed(5);
  return make_objective(config, sample_tokenizers(), test_device())
      ->loss(model, batch.to(test_device()))
      .objective.item<double>();
}

double likelihood_of(Seq2Seq model, const Batch& batch) {
  model->to(test_device());
  return batch_loss(model, batch.to(test_device()), {}).objective.item<double>();
}

/// Mean GLEU of 20 samples a sentence.
double mean_reward(Seq2Seq model, const Batch& batch, const std::vector<std::string>& references) {
  model->eval();
  ModelStepper stepper(model);
  SearchOptions options;
  options.n_best = 20;
  options.sampling = {1.0, 0, 1.0, /*seed=*/3};
  const auto target = sample_tokenizers().target;
  double sum = 0.0;
  const auto found = search_batch(stepper, batch.source, batch.source_lengths, options);
  for (size_t i = 0; i < found.size(); ++i) {
    for (const auto& sample : found[i]) {
      sum += sentence_gleu(target.decode(sample.tokens), references[i]);
    }
  }
  model->train();
  return sum / static_cast<double>(found.size() * 20);
}

/// On the engine's device.
std::unique_ptr<TrainingStep> step_of(const TrainConfig& config, Seq2Seq model, int threads) {
  const auto device = device_of(config.engine);
  model->to(device);
  return make_training_step(model, config, device, threads, sample_tokenizers());
}

/// The mean loss of a token after training on one batch for a while.
double learned_loss(const TrainConfig& config, const Seq2Seq& model, int updates,
                    double learning_rate = 2e-2) {
  const auto batch = spoken_batch().to(device_of(config.engine));
  const auto tokens = static_cast<double>(batch.num_target_tokens);
  const auto step = step_of(config, model, 1);
  double loss = 0.0;
  for (int i = 0; i < updates; ++i) {
    loss = step->accumulate_gradient(batch, 1.0 / tokens) / tokens;
    step->update(learning_rate);
  }
  return loss;
}

}  // namespace

TEST_CASE("Scheduled sampling without sampling is likelihood", "[train][objectives]") {
  auto config = training_for("scheduled_sampling");
  config.objective_values.at("scheduled_sampling_probability") = 0.0;
  const auto model = small_model();
  REQUIRE(objective_of(config, model, odd_batch()) == Approx(likelihood_of(model, odd_batch())));
}

TEST_CASE("Scheduled sampling at its fullest feeds what greedy search would",
          "[train][objectives]") {
  auto config = training_for("scheduled_sampling");
  config.objective_values.at("scheduled_sampling_probability") = 1.0;
  auto model = small_model();
  const auto batch = make_batch({{4, 5, 6, 7}}, {{8, 9, 10, 11}});
  // Token by token, by hand.
  model->to(test_device());
  const auto encoded = model->encode(on_device(batch.source), batch.source_lengths);
  auto state = model->start(encoded);
  auto input = on_device(torch::tensor({int64_t{kBosId}}));
  double expected = 0.0;
  for (int64_t t = 0; t < batch.target_output.size(1); ++t) {
    const auto step = model->step(input, state, encoded.memory);
    const auto log_p = model->log_probabilities(step.attentional_hidden)[0];
    expected -= log_p[batch.target_output[0][t].item<int64_t>()].item<double>();
    input = log_p.argmax().view({1});
  }
  REQUIRE(objective_of(config, model, batch) == Approx(expected));
  REQUIRE(std::abs(expected - likelihood_of(model, batch)) > 1e-3);
}

TEST_CASE("R-Drop without dropout is likelihood, for both passes agree", "[train][objectives]") {
  const auto model = small_model();
  REQUIRE(objective_of(training_for("r_drop"), model, odd_batch()) ==
          Approx(likelihood_of(model, odd_batch())));
}

TEST_CASE("R-Drop adds the divergences of two passes with different dropout",
          "[train][objectives]") {
  auto model = small_model(0.3);
  model->train();
  auto config = training_for("r_drop");
  config.objective_values.at("r_drop_weight") = 0.0;
  const double apart = objective_of(config, model, odd_batch());
  config.objective_values.at("r_drop_weight") = 2.0;
  const double together = objective_of(config, model, odd_batch());

  // The same passes again, by the same seed, and the definition of KL term by term.
  torch::manual_seed(5);
  const auto twice = [](const torch::Tensor& tensor) { return torch::cat({tensor, tensor}); };
  auto both = odd_batch();
  both.source = twice(both.source);
  both.source_lengths = twice(both.source_lengths);
  both.target_input = twice(both.target_input);
  both.target_output = twice(both.target_output);
  both = both.to(test_device());
  const auto passes =
      predict_tokens(model, both).log_probabilities.to(torch::kCPU, torch::kDouble).chunk(2);
  double divergence = 0.0;
  for (int64_t m = 0; m < passes[0].size(0); ++m) {
    for (int64_t v = 0; v < passes[0].size(1); ++v) {
      const double first = passes[0][m][v].item<double>();
      const double second = passes[1][m][v].item<double>();
      divergence += std::exp(first) * (first - second) + std::exp(second) * (second - first);
    }
  }
  REQUIRE(divergence > 0.0);
  REQUIRE(together - apart == Approx(2.0 / 4.0 * divergence).epsilon(1e-3));
}

TEST_CASE("Samples that are all equally good teach nothing", "[train][objectives]") {
  auto config = training_for("minimum_risk");
  config.objective_values.at("mrt_ce_weight") = 0.0;
  auto model = speaking_model();
  // A reference that shares no word with any sample: every reward is 0.
  const auto batch = make_batch({{4, 5, 6}}, {{kUnknownId}});
  model->to(test_device());
  torch::manual_seed(5);
  const auto loss = make_objective(config, sample_tokenizers(), test_device())
                        ->loss(model, batch.to(test_device()));
  loss.objective.backward();
  double norm = 0.0;
  for (const auto& parameter : unique_parameters(*model)) {
    if (parameter.grad().defined()) norm += parameter.grad().norm().item<double>();
  }
  REQUIRE(norm == 0.0);
  REQUIRE(model->is_training());
}

TEST_CASE("Minimum risk training makes samples better", "[train][objectives]") {
  auto config = training_for("minimum_risk");
  config.objective_values.at("mrt_samples") = 8;
  auto model = speaking_model();
  learned_loss(training_for("likelihood"), model, 12);  // from nothing there is nothing to reward
  const std::vector<std::string> references = {"I read a book.", "We like the sea."};
  const double before = mean_reward(model, spoken_batch(), references);
  learned_loss(config, model, 200, 4e-3);
  const double after = mean_reward(model, spoken_batch(), references);
  INFO(before << " then " << after);
  REQUIRE(after > 1.4 * before);
}

TEST_CASE("A sample that search cuts off does not teach how likely its end is",
          "[train][objectives]") {
  auto config = training_for("minimum_risk");
  config.objective_values.at("mrt_ce_weight") = 0.0;
  config.objective_values.at("mrt_samples") = 20;
  config.optimizer = OptimizerKind::kSgd;
  for (const auto engine : {TrainingEngine::kPlain, TrainingEngine::kFused}) {
    config.engine = engine;
    auto model = speaking_model();
    learned_loss(training_for("likelihood"), model, 12);  // some samples are rewarded then
    model->to(device_of(engine));
    auto output = model->named_parameters()["generator.output.weight"].clone().detach();
    {
      const torch::NoGradGuard no_gradient;
      model->named_parameters()["generator.output.bias"][kEosId].fill_(-1e4);  // never drawn
    }
    torch::manual_seed(5);
    const auto step = step_of(config, model, 1);
    step->accumulate_gradient(spoken_batch().to(device_of(engine)), 1.0);
    step->update(1.0);
    const auto change = model->named_parameters()["generator.output.weight"].detach() - output;
    REQUIRE(change.abs().max().item<double>() > 0.0);
    REQUIRE(change[kEosId].abs().max().item<double>() == 0.0);
  }
}

TEST_CASE("Every objective learns, by either engine", "[train][objectives]") {
  for (const auto* objective : objective_kinds()) {
    if (objective == &dual_objective()) continue;  // in dual_test.cpp: it needs models
    for (const auto engine : {TrainingEngine::kPlain, TrainingEngine::kFused}) {
      INFO(objective->name << (engine == TrainingEngine::kFused ? ", fused" : ", plain"));
      if (engine == TrainingEngine::kFused && objective->fused == FusedSupport::kNone) continue;
      TrainConfig config;
      config.objective = objective;
      config.engine = engine;
      const auto model = speaking_model(0.1);
      const double first = learned_loss(config, model, 1);
      REQUIRE(learned_loss(config, model, 60) < 0.5 * first);
    }
  }
}

TEST_CASE("The fused engine leaves to the plain one what it does not compute",
          "[train][objectives]") {
  const auto reason = [](const char* objective, const Seq2SeqOptions& options) {
    return fused_training_unsupported_reason(options, training_for(objective), /*on_cpu=*/true);
  };
  Seq2SeqOptions copying;
  copying.copy = true;
  for (const char* objective : {"likelihood", "minimum_risk", "dual"}) {
    REQUIRE(reason(objective, copying).empty());
  }
  for (const char* objective : {"r_drop", "scheduled_sampling"}) {
    REQUIRE(reason(objective, {}).empty());
    REQUIRE(reason(objective, copying) ==
            std::string("of a model that copies it does not compute ") + objective);
  }
  Seq2SeqOptions language_model;
  language_model.architecture = Architecture::kLanguageModel;
  REQUIRE(reason("r_drop", language_model).empty());
  REQUIRE(reason("scheduled_sampling", language_model) ==
          "scheduled sampling is fused for translators only");
}

TEST_CASE("Both engines make the same update of an objective without dropout",
          "[train][objectives]") {
  auto always = training_for("scheduled_sampling");
  always.objective_values.at("scheduled_sampling_probability") = 1.0;
  for (auto config : {training_for("r_drop"), always}) {
    config.optimizer = OptimizerKind::kSgd;
    config.label_smoothing = 0.1;
    for (const auto& [architecture, threads] :
         {std::pair(Architecture::kRecurrent, 1), std::pair(Architecture::kRecurrent, 3),
          std::pair(Architecture::kTransformer, 2)}) {
      INFO(config.objective->name << "  threads " << threads);
      std::vector<torch::Tensor> weights[2];
      double loss[2];
      for (const auto engine : {TrainingEngine::kPlain, TrainingEngine::kFused}) {
        const auto place = static_cast<size_t>(engine == TrainingEngine::kFused);
        config.engine = engine;
        auto model = small_model(0.0, TiedEmbeddings::kNone, architecture);
        model->train();
        const auto step = step_of(config, model, threads);
        loss[place] = step->accumulate_gradient(odd_batch().to(device_of(engine)), 0.3);
        step->update(0.1);
        for (const auto& parameter : unique_parameters(*model)) {
          weights[place].push_back(parameter.detach().cpu().clone());
        }
      }
      REQUIRE(loss[1] == Approx(loss[0]).epsilon(tolerance(1e-6)));
      for (size_t i = 0; i < weights[0].size(); ++i) {
        REQUIRE(all_close(weights[1][i], weights[0][i], 1e-5, 1e-6));
      }
    }
  }
}

TEST_CASE("Objectives in bfloat16 make nearly the same update", "[train][objectives]") {
  if (!has_bfloat16_products()) SKIP("this processor has no bfloat16 products");
  const auto batch = spoken_batch();
  for (const char* objective : {"r_drop", "scheduled_sampling", "minimum_risk"}) {
    INFO(objective);
    auto config = training_for(objective);
    config.optimizer = OptimizerKind::kSgd;
    config.clip_norm = 0.0;
    if (config.objective == &minimum_risk_objective()) {
      std::get<NamedChoice>(config.objective_values.at("mrt_reward")).index = 2;  // chrf
    }
    std::vector<torch::Tensor> changes[2];
    for (const auto precision : {TrainingPrecision::kFloat32, TrainingPrecision::kBfloat16}) {
      config.precision = precision;
      const auto model = speaking_model(objective == std::string("r_drop") ? 0.2 : 0.0);
      std::vector<torch::Tensor> before;
      for (auto& parameter : unique_parameters(*model)) {
        const at::NoGradGuard no_gradients;
        parameter.uniform_(-0.5, 0.5);
        before.push_back(parameter.clone());
      }
      const auto step = make_training_step(model, config, torch::kCPU, 2, sample_tokenizers());
      step->accumulate_gradient(batch, 1.0);
      step->update(1.0);
      auto& change = changes[static_cast<size_t>(precision == TrainingPrecision::kBfloat16)];
      for (const auto& parameter : unique_parameters(*model)) {
        change.push_back(parameter.detach() - before[change.size()]);
      }
    }
    for (size_t i = 0; i < changes[0].size(); ++i) {
      const double largest = changes[0][i].abs().max().item<double>();
      REQUIRE(largest > 0);
      REQUIRE((changes[1][i] - changes[0][i]).abs().max().item<double>() < 0.05 * largest);
    }
  }
}

TEST_CASE("The plain engine's scheduled sampling in bfloat16 trains all that likelihood trains",
          "[train][objectives]") {
  if (test_device().is_cpu() && !has_bfloat16_products()) {
    SKIP("this processor has no bfloat16 products");
  }
  auto sampling = training_for("scheduled_sampling");
  sampling.objective_values.at("scheduled_sampling_probability") = 0.0;
  std::vector<torch::Tensor> changes[2];
  for (auto config : {training_for("likelihood"), sampling}) {
    config.engine = TrainingEngine::kPlain;
    config.precision = TrainingPrecision::kBfloat16;
    config.optimizer = OptimizerKind::kSgd;
    config.clip_norm = 0.0;
    auto model = small_model();
    model->train();
    std::vector<torch::Tensor> before;
    for (const auto& parameter : unique_parameters(*model)) {
      before.push_back(parameter.detach().cpu().clone());
    }
    const auto step = step_of(config, model, 1);
    step->accumulate_gradient(odd_batch().to(test_device()), 1.0);
    step->update(1.0);
    auto& change = changes[config.objective == sampling.objective ? 1 : 0];
    for (const auto& parameter : unique_parameters(*model)) {
      change.push_back(parameter.detach().cpu() - before[change.size()]);
    }
  }
  for (size_t i = 0; i < changes[0].size(); ++i) {
    INFO("parameter " << i);
    const double largest = changes[0][i].abs().max().item<double>();
    REQUIRE(largest > 0);
    REQUIRE((changes[1][i] - changes[0][i]).abs().max().item<double>() < 0.05 * largest);
  }
}

TEST_CASE("The copies of the fused R-Drop differ by their dropout", "[train][objectives]") {
  const auto update = [](double dropout, double weight) {
    auto config = training_for("r_drop");
    config.optimizer = OptimizerKind::kSgd;
    config.objective_values.at("r_drop_weight") = weight;
    const auto model = small_model(dropout);
    const auto step = make_training_step(model, config, torch::kCPU, 1);
    step->accumulate_gradient(odd_batch(), 1.0);
    step->update(0.1);
    return unique_parameters(*model).front().detach().clone();
  };
  REQUIRE(torch::allclose(update(0.0, 0.0), update(0.0, 5.0), 1e-4, 1e-7));
  REQUIRE_FALSE(torch::allclose(update(0.3, 0.0), update(0.3, 5.0), 1e-4, 1e-4));
}

TEST_CASE("GLEU is the share of n-grams of the side that has more", "[train][objectives]") {
  // Words a b c d against a b d: of orders 1 to 4 there are 10 and 6; in both a, b, d, ab.
  REQUIRE(sentence_gleu("a b c d", "a b d") == Approx(4.0 / 10.0));
  REQUIRE(sentence_gleu("a b", "a b") == 1.0);
  REQUIRE(sentence_gleu("", "") == 0.0);
}

}  // namespace nmt
