#include <ATen/ATen.h>
#include <torch/utils.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "checkpoint/model.h"
#include "config/settings_io.h"
#include "decode/forced_scoring.h"
#include "kernels/bfloat16.h"
#include "support/expect_error.h"
#include "support/sample.h"
#include "support/temporary_folder.h"
#include "support/test_device.h"
#include "text/protobuf.h"
#include "train/objectives/objective.h"
#include "train/small_model.h"
#include "train/steps/divergence_guard.h"
#include "train/steps/named_parameters.h"
#include "train/steps/training_step.h"

namespace nmt {
namespace fs = std::filesystem;
namespace {

const std::vector<std::string> kKorean = {"저는 책을 읽어요.", "우리는 바다를 좋아해요."};
const std::vector<std::string> kEnglish = {"I read a book.", "We like the sea."};

/// A tiny model with weights of the seed.
Seq2Seq tiny_model(const Settings& settings, const Tokenizer& source, const Tokenizer& target,
                   uint64_t seed) {
  torch::manual_seed(seed);
  return make_seq2seq({settings.model, source.vocabulary_size(), target.vocabulary_size()});
}

Settings tiny_settings(const std::string& architecture) {
  Settings settings;
  settings.model.architecture = parse_choice<Architecture>(architecture).value();
  settings.model.embedding_size = 10;
  settings.model.hidden_size = 14;
  settings.model.dropout = 0.0;
  return settings;
}

/// Folders of what a dual run needs, with models from Korean to English and back.
struct DualRun : TemporaryFolder {
  Tokenizers tokenizers = sample_tokenizers();
  TrainConfig config;
  Seq2Seq model;

  explicit DualRun(uint64_t target_lm_seed = 5)
      : model(tiny_model(tiny_settings("recurrent"), tokenizers.source, tokenizers.target, 1)) {
    const auto& ko = tokenizers.source;
    const auto& en = tokenizers.target;
    store("reverse", "recurrent", en, ko, 2);
    store("ko-lm", "language_model", ko, ko, 3);
    store("en-lm", "language_model", en, en, target_lm_seed);
    config.objective = &dual_objective();
    config.objective_values.at("reverse_model") = (*this / "reverse").string();
    config.objective_values.at("source_lm") = (*this / "ko-lm").string();
    config.objective_values.at("target_lm") = (*this / "en-lm").string();
    use(config.engine);
    model->train();
  }

  /// The engine, and with it the model's device.
  void use(TrainingEngine engine) {
    config.engine = engine;
    model->to(device());
  }
  torch::Device device() const { return device_of(config.engine); }

  void store(const std::string& name, const std::string& architecture, const Tokenizer& source,
             const Tokenizer& target, uint64_t seed) const {
    const auto settings = tiny_settings(architecture);
    write_model_directory(
        ModelDirectory{*this / name},
        {to_yaml(settings, /*with_comments=*/false), source.bytes(), target.bytes(), "", ""},
        tiny_model(settings, source, target, seed), {{"format", "nmt"}});
  }

  std::vector<std::vector<int32_t>> encoded(const Tokenizer& tokenizer,
                                            const std::vector<std::string>& lines) const {
    std::vector<std::vector<int32_t>> tokens;
    for (const auto& line : lines) tokens.push_back(tokenizer.encode(line));
    return tokens;
  }
  Batch batch() const {
    return make_batch(encoded(tokenizers.source, kKorean), encoded(tokenizers.target, kEnglish))
        .to(device());
  }
  Batch reversed_batch() const {
    return make_batch(encoded(tokenizers.target, kEnglish), encoded(tokenizers.source, kKorean))
        .to(device());
  }

  /// log p of each target by the model of a folder.
  std::vector<double> score(const std::string& name, const Batch& batch) const {
    auto network = load_model(*this / name, device()).network;
    return score_batch(network, batch);
  }

  TokenLoss loss() { return make_objective(config, tokenizers, device())->loss(model, batch()); }

  std::unique_ptr<TrainingStep> step() const {
    return make_training_step(model, config, device(), 1, tokenizers);
  }
};

void take_steps(TrainingStep& step, const Batch& batch, int times) {
  for (int i = 0; i < times; ++i) {
    step.accumulate_gradient(batch, 1.0 / static_cast<double>(batch.num_target_tokens));
    step.update(1e-2);
  }
}

/// Σ over pairs of (log p̂(x) + log p(y|x) − log p̂(y) − log p(x|y))².
double disagreement(DualRun& run, const std::string& reverse) {
  const auto there = score_batch(run.model, run.batch());
  const auto back = run.score(reverse, run.reversed_batch());
  const auto p_x = run.score("ko-lm", run.reversed_batch());
  const auto p_y = run.score("en-lm", run.batch());
  double sum = 0.0;
  for (size_t i = 0; i < there.size(); ++i) {
    sum += std::pow(p_x[i] + there[i] - p_y[i] - back[i], 2);
  }
  return sum;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace

TEST_CASE("The dual objective is both likelihoods and the square of their disagreement",
          "[train][dual]") {
  double last = 0.0;
  for (const uint64_t target_lm_seed : {5, 6}) {  // what it says of p(y) counts
    DualRun run(target_lm_seed);
    run.config.objective_values.at("dual_weight") = 0.3;
    const auto loss = run.loss();
    const double there = -sum_of(score_batch(run.model, run.batch()));
    const double back = -sum_of(run.score("reverse", run.reversed_batch()));
    const double gap = disagreement(run, "reverse");
    REQUIRE(gap > 0.1);
    REQUIRE(loss.objective.item<double>() == Approx(there + back + 0.3 * gap).epsilon(1e-4));
    REQUIRE(loss.negative_log_likelihood.item<double>() == Approx(there).epsilon(tolerance(1e-5)));
    REQUIRE(std::abs(loss.objective.item<double>() - last) > 1e-3);
    last = loss.objective.item<double>();
  }
}

TEST_CASE("Both engines make the same dual update", "[train][dual]") {
  const auto after = [](TrainingEngine engine, int threads) {
    DualRun run;
    run.use(engine);
    run.config.optimizer = OptimizerKind::kSgd;
    run.config.label_smoothing = 0.1;
    run.config.clip_norm = 3.0;
    run.config.objective_values.at("dual_weight") = 0.3;
    const auto step =
        make_training_step(run.model, run.config, run.device(), threads, run.tokenizers);
    std::vector<torch::Tensor> result = {
        torch::tensor({double{step->accumulate_gradient(run.batch(), 0.2)}})};
    result.push_back(torch::tensor({double{step->update(0.1)}}));
    auto parameters = unique_named_parameters(run.model);
    for (const auto& parameter : step->auxiliary_parameters()) parameters.push_back(parameter);
    for (const auto& parameter : parameters) result.push_back(parameter.tensor.cpu().clone());
    return result;
  };
  const auto expected = after(TrainingEngine::kPlain, 1);
  for (const int threads : {1, 2}) {
    const auto found = after(TrainingEngine::kFused, threads);
    for (size_t i = 0; i < expected.size(); ++i) {
      INFO("threads " << threads << ", tensor " << i);
      REQUIRE(all_close(found[i], expected[i], 1e-5, 1e-6));
    }
  }
}

TEST_CASE("A dual update in bfloat16 is nearly the same", "[train][dual]") {
  if (!has_bfloat16_products()) SKIP("this processor has no bfloat16 products");
  const auto changes = [](TrainingPrecision precision) {
    DualRun run;
    run.config.precision = precision;
    run.config.optimizer = OptimizerKind::kSgd;
    run.config.clip_norm = 0.0;
    run.config.objective_values.at("dual_weight") = 0.1;
    const auto step = run.step();
    auto parameters = unique_named_parameters(run.model);
    for (const auto& parameter : step->auxiliary_parameters()) parameters.push_back(parameter);
    std::vector<torch::Tensor> result;
    for (const auto& parameter : parameters) result.push_back(-parameter.tensor.clone());
    step->accumulate_gradient(run.batch(), 1.0);
    step->update(1.0);
    for (size_t i = 0; i < result.size(); ++i) result[i] += parameters[i].tensor;
    return result;
  };
  const auto expected = changes(TrainingPrecision::kFloat32);
  const auto found = changes(TrainingPrecision::kBfloat16);
  for (size_t i = 0; i < expected.size(); ++i) {
    INFO("tensor " << i);
    const double largest = expected[i].abs().max().item<double>();
    REQUIRE(largest > 0);
    REQUIRE((found[i] - expected[i]).abs().max().item<double>() < 0.05 * largest);
  }
}

TEST_CASE("Dual training teaches both directions", "[train][dual]") {
  DualRun run;
  run.config.objective_values.at("dual_weight") = 0.05;
  const double there = run.loss().negative_log_likelihood.item<double>();
  const double back = -sum_of(run.score("reverse", run.reversed_batch()));
  const auto step = run.step();
  take_steps(*step, run.batch(), 40);
  step->write_auxiliary_model(run / "learned");
  REQUIRE(run.loss().negative_log_likelihood.item<double>() < 0.5 * there);
  REQUIRE(-sum_of(run.score("learned", run.reversed_batch())) < 0.5 * back);
}

TEST_CASE("Directions that disagree, for one is ahead, come together", "[train][dual]") {
  const auto after = [](double weight) {
    DualRun run;
    auto alone = run.config;
    alone.objective = &likelihood_objective();
    take_steps(*make_training_step(run.model, alone, run.device(), 1), run.batch(), 15);
    const double before = disagreement(run, "reverse");
    run.config.objective_values.at("dual_weight") = weight;
    const auto step = run.step();
    take_steps(*step, run.batch(), 5);
    step->write_auxiliary_model(run / "learned");
    return disagreement(run, "learned") / before;
  };
  const double apart = after(0.0);
  const double together = after(0.1);
  INFO(apart << " and " << together << " of the disagreement are left");
  REQUIRE(together < 0.5 * apart);
}

TEST_CASE("A dual step that is saved and loaded goes on bit for bit in both directions",
          "[train][dual]") {
  const SameBits same_bits;
  const auto engine = GENERATE(TrainingEngine::kPlain, TrainingEngine::kFused);
  DualRun run;
  run.use(engine);
  const auto step = run.step();
  take_steps(*step, run.batch(), 2);
  TensorFile state;
  step->save_state(state);
  for (auto& entry : state.tensors) entry.tensor = entry.tensor.clone();
  std::vector<torch::Tensor> weights;
  for (const auto& named : unique_named_parameters(run.model)) {
    weights.push_back(named.tensor.clone());
  }
  take_steps(*step, run.batch(), 2);
  step->write_auxiliary_model(run / "straight");
  const auto straight = unique_named_parameters(run.model);

  DualRun other;
  other.use(engine);
  auto parameters = unique_named_parameters(other.model);
  for (size_t i = 0; i < weights.size(); ++i) parameters[i].tensor.copy_(weights[i]);
  const auto resumed = other.step();
  resumed->load_state(state);
  take_steps(*resumed, other.batch(), 2);
  resumed->write_auxiliary_model(other / "resumed");
  parameters = unique_named_parameters(other.model);  // a fused step moves them
  for (size_t i = 0; i < straight.size(); ++i) {
    REQUIRE(torch::equal(parameters[i].tensor, straight[i].tensor));
  }
  REQUIRE(other.score("resumed", run.reversed_batch()) ==
          run.score("straight", run.reversed_batch()));
}

TEST_CASE(
    "A rollback takes both directions to their good weights, not to the files they began with",
    "[train][dual]") {
  DualRun run;
  const auto step = run.step();
  take_steps(*step, run.batch(), 2);
  auto parameters = unique_named_parameters(run.model);
  const size_t forward = parameters.size();
  for (auto& parameter : step->auxiliary_parameters()) parameters.push_back(parameter);
  REQUIRE(parameters.size() > forward);
  step->write_auxiliary_model(run / "good");
  DivergenceGuard guard(parameters);
  TensorFile state;
  guard.save_state(state);
  for (auto& entry : state.tensors) entry.tensor = entry.tensor.clone();
  take_steps(*step, run.batch(), 2);
  fs::remove_all(run / "reverse");  // nothing is read again
  const auto roll_back = [&](DivergenceGuard& of) {
    while (!of.record_failure(1)) {
    }
    step->reset();
    step->write_auxiliary_model(run / "now");
    return run.score("now", run.reversed_batch()) == run.score("good", run.reversed_batch());
  };
  REQUIRE(roll_back(guard));
  take_steps(*step, run.batch(), 2);  // with the optimizer that was reset
  DivergenceGuard resumed(parameters);
  resumed.load_state(state, guard.counters());
  REQUIRE(roll_back(resumed));
}

TEST_CASE("Dual training freezes parameters of the first direction alone", "[train][dual]") {
  DualRun run;
  auto settings = tiny_settings("recurrent");
  settings.model.decoder_init = DecoderInit::kBridge;
  run.model = tiny_model(settings, run.tokenizers.source, run.tokenizers.target, 1);
  run.model->to(run.device());
  run.model->train();
  run.config.freeze = {"bridge.*", "emb_src.weight"};  // the reverse model has no bridge
  const auto before = run.model->named_parameters()["emb_src.weight"].detach().clone();
  take_steps(*run.step(), run.batch(), 2);
  REQUIRE(torch::equal(run.model->named_parameters()["emb_src.weight"], before));
}

TEST_CASE("Models that do not fit a dual run are refused by their setting", "[train][dual]") {
  DualRun run;
  const auto message = [&](const char* setting, const char* model) {
    auto config = run.config;
    config.objective_values.at(setting) = (run / model).string();
    return error_of([&] { make_objective(config, run.tokenizers, run.device()); });
  };
  REQUIRE(contains(message("source_lm", "en-lm"),
                   "train.source_lm: " + (run / "en-lm").string() + ": has another vocabulary"));
  REQUIRE(contains(message("target_lm", "none"), "train.target_lm: "));
  REQUIRE(contains(message("reverse_model", "en-lm"), "train.reverse_model: "));
  run.store("forward", "recurrent", run.tokenizers.source, run.tokenizers.target, 1);
  REQUIRE(contains(message("reverse_model", "forward"), "the other way round"));
  REQUIRE(contains(message("target_lm", "forward"), "is not a language model"));
}

TEST_CASE("A dual run takes models of vocabularies that another number of threads trained",
          "[train][dual]") {
  DualRun run;
  const auto& original = run.tokenizers.target.bytes();
  const auto other = Tokenizer::from_bytes(original + bytes_field(2, number_field(16, 7)),
                                           "other");  // num_threads of the trainer
  REQUIRE(other.bytes() != original);
  run.store("reverse", "recurrent", other, run.tokenizers.source, 2);
  run.store("en-lm", "language_model", other, other, 5);
  REQUIRE_NOTHROW(run.step());
}

}  // namespace nmt
