// What every kind of model has to keep to, whatever its equations.

#include <ATen/ATen.h>
#include <torch/optim/adam.h>

#include <vector>

#include "nn/every_kind.h"
#include "nn/loss.h"
#include "nn/some_sentences.h"
#include "nn/transformer.h"
#include "support/gradient_check.h"
#include "support/test_device.h"

namespace nmt {

TEST_CASE("Every kind computes step by step what it computes at once", "[nn][architectures]") {
  for (const auto& [name, options] : every_kind()) {
    INFO(name);
    auto model = seeded(options);
    const auto whole = model(kSource(), kLengths(), kTargetInput());  // [B, T, H]
    const auto encoded = model->encode(kSource(), kLengths());
    auto state = model->start(encoded);
    for (int64_t t = 0; t < 3; ++t) {
      const auto step = model->step(kTargetInput().select(1, t), state, encoded.memory);
      REQUIRE(all_close(whole.select(1, t), step.attentional_hidden, 1e-5, 1e-6));
      if (!step.attention.defined()) continue;
      REQUIRE(step.attention.sizes() == at::IntArrayRef({2, 5}));
      if (options.attention->is_softmax) {
        REQUIRE(step.attention.sum(1).sub(1).abs().max().item<double>() < 1e-5);
      }
      REQUIRE(step.attention[1].narrow(0, 2, 3).abs().max().item<double>() == 0.0);
    }
  }
}

TEST_CASE("Coverage is the sum of the weights so far, and follows its hypothesis",
          "[nn][architectures]") {
  auto options = small_shape();
  options.coverage = true;
  auto model = seeded(options);
  const auto encoded = model->encode(kSource(), kLengths());
  auto state = model->start(encoded);
  auto sum = on_device(torch::zeros({2, 5}));
  for (int64_t t = 0; t < 3; ++t) {
    REQUIRE(all_close(state.coverage, sum));
    sum = sum + model->step(kTargetInput().select(1, t), state, encoded.memory).attention;
  }
  state.select(on_device(torch::tensor({1, 1, 0})));
  REQUIRE(all_close(state.coverage, torch::stack({sum[1], sum[1], sum[0]})));
}

TEST_CASE("A model that copies mixes its softmax with its attention", "[nn][architectures]") {
  auto options = small_shape();
  options.copy = true;
  options.source_vocabulary_size = options.target_vocabulary_size;
  auto model = seeded(options);
  const auto source = on_device(torch::tensor({{4, 5, 4, 7, 8}, {9, 10, 0, 0, 0}}));  // 4 twice
  const auto steps = model->force(source, kLengths(), kTargetInput());
  const auto named = model->named_parameters();
  const auto logits = at::linear(steps.attentional_hidden, named["generator.output.weight"],
                                 named["generator.output.bias"]);
  const auto gate = at::linear(steps.attentional_hidden, named["generator.copy.weight"],
                               named["generator.copy.bias"])
                        .squeeze(2)
                        .sigmoid();  // [B, T]
  const auto found = model->log_probabilities(steps, source).exp();
  for (int64_t b = 0; b < 2; ++b) {
    for (int64_t t = 0; t < 3; ++t) {
      for (int64_t v = 0; v < 13; ++v) {
        double copied = 0.0;
        for (int64_t i = 0; i < kLengths()[b].item<int64_t>(); ++i) {
          if (source[b][i].item<int64_t>() == v) copied += steps.attention[b][t][i].item<double>();
        }
        const double generates = gate[b][t].item<double>();
        const double generated = logits[b][t].softmax(0)[v].item<double>();
        REQUIRE(found[b][t][v].item<double>() ==
                Approx(generates * generated + (1 - generates) * copied).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("No kind lets padding change a sentence's probabilities", "[nn][architectures]") {
  for (const auto& [name, options] : every_kind()) {
    INFO(name);
    auto model = seeded(options);
    const auto together =
        model->log_probabilities(model->force(kSource(), kLengths(), kTargetInput()), kSource());
    const auto source = on_device(torch::tensor({{9, 10}}));
    const auto alone = model->log_probabilities(
        model->force(source, torch::tensor({2}), on_device(torch::tensor({{2, 7, 8}}))), source);
    REQUIRE(all_close(together[1], alone[0], 1e-5, 1e-6));
    REQUIRE(together.exp().sum(-1).sub(1).abs().max().item<double>() < 1e-5);
  }
}

TEST_CASE("No kind sees the tokens that it is to foretell", "[nn][architectures]") {
  for (const auto& [name, options] : every_kind()) {
    INFO(name);
    auto model = seeded(options);
    const auto first =
        model(kSource(), kLengths(), on_device(torch::tensor({{2, 5, 6}, {2, 7, 8}})));
    const auto other =
        model(kSource(), kLengths(), on_device(torch::tensor({{2, 5, 9}, {2, 7, 4}})));
    REQUIRE(all_close(first.narrow(1, 0, 2), other.narrow(1, 0, 2)));
    REQUIRE_FALSE(all_close(first.select(1, 2), other.select(1, 2)));
  }
}

TEST_CASE("In every kind hypotheses of a sentence share its memory and go their own ways",
          "[nn][architectures]") {
  for (const auto& [name, options] : every_kind()) {
    INFO(name);
    auto model = seeded(options);
    const auto encoded = model->encode(kSource(), kLengths());
    auto single = model->start(encoded);
    auto beams = model->start(encoded);
    beams.select(on_device(torch::tensor({0, 0, 0, 1, 1, 1})));
    model->step(on_device(torch::tensor({2, 2})), single, encoded.memory);
    model->step(on_device(torch::tensor({2, 2, 2, 2, 2, 2})), beams, encoded.memory);
    // All go on from what was the second hypothesis of each sentence.
    beams.select(on_device(torch::tensor({1, 1, 1, 4, 4, 4})));
    const auto one = model->step(on_device(torch::tensor({4, 9})), single, encoded.memory);
    const auto many =
        model->step(on_device(torch::tensor({3, 4, 5, 8, 9, 10})), beams, encoded.memory);
    REQUIRE(all_close(many.attentional_hidden[1], one.attentional_hidden[0], 1e-5, 1e-6));
    REQUIRE(all_close(many.attentional_hidden[4], one.attentional_hidden[1], 1e-5, 1e-6));
  }
}

TEST_CASE("Every kind's gradients agree with finite differences", "[nn][architectures]") {
  for (auto& [name, options] : every_kind()) {
    INFO(name);
    options.num_layers = options.residual ? 2 : 1;
    options.tied_embeddings = TiedEmbeddings::kTarget;
    auto model = seeded(options, /*training=*/true);  // or cuDNN refuses the backward pass
    model->to(torch::kDouble);
    const auto targets = on_device(torch::tensor({5, 6, 3, 7, 8, 3}));
    const auto function = [&] {
      const auto log_p =
          model->log_probabilities(model->force(kSource(), kLengths(), kTargetInput()), kSource());
      return token_loss(log_p.flatten(0, 1), targets, 0.1).objective;
    };
    REQUIRE(gradient_error(unique_parameters(*model), function) < 1e-5);
  }
}

TEST_CASE("Every kind learns", "[nn][architectures]") {
  for (auto& [name, options] : every_kind()) {
    INFO(name);
    auto model = seeded(options, /*training=*/true);
    const auto targets = on_device(torch::tensor({5, 6, 3, 7, 8, 3}));
    torch::optim::Adam optimizer(unique_parameters(*model), torch::optim::AdamOptions(5e-2));
    std::vector<double> losses;
    for (int i = 0; i < 100; ++i) {
      const auto log_p =
          model->log_probabilities(model->force(kSource(), kLengths(), kTargetInput()), kSource());
      const auto loss = token_loss(log_p.flatten(0, 1), targets, 0.0).objective;
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      losses.push_back(loss.item<double>());
    }
    // A language model cannot know which of the two sentences is to come.
    REQUIRE(losses.back() < 0.3 * losses.front());
  }
}

TEST_CASE("Every kind's dropouts act while training and not afterwards", "[nn][architectures]") {
  for (auto& [name, options] : every_kind()) {
    INFO(name);
    const bool is_transformer = options.architecture == Architecture::kTransformer;
    for (auto dropout :
         {&ModelConfig::dropout, &ModelConfig::word_dropout,
          is_transformer ? &ModelConfig::layer_dropout : &ModelConfig::state_dropout}) {
      auto changed = options;
      changed.*dropout = 0.7;
      auto model = seeded(changed);
      const auto still = model(kSource(), kLengths(), kTargetInput());
      REQUIRE(torch::equal(still, seeded(options)(kSource(), kLengths(), kTargetInput())));
      REQUIRE(torch::equal(still, model(kSource(), kLengths(), kTargetInput())));
      model->train();
      REQUIRE_FALSE(torch::equal(still, model(kSource(), kLengths(), kTargetInput())));
    }
  }
}

TEST_CASE("Word dropout leaves words whole or takes them whole", "[nn][architectures]") {
  auto options = small_shape();
  options.architecture = Architecture::kLanguageModel;
  options.word_dropout = 0.5;
  auto model = seeded(options, /*training=*/true);
  const auto tokens = on_device(torch::full({1, 400}, 5, torch::kLong));
  const auto source = on_device(torch::full({1, 1}, 4, torch::kLong));
  // One of the two first states a sentence can have: with its first word, or without.
  int64_t dropped = 0;
  const auto without = [&] {
    auto none = options;
    none.word_dropout = 0.0;
    auto twin = seeded(none);
    twin->named_parameters()["emb_dec.weight"].data().zero_();
    return twin(source, torch::tensor({1}), tokens.narrow(1, 0, 1));
  }();
  for (int64_t i = 0; i < 200; ++i) {
    const auto states = model(source, torch::tensor({1}), tokens.narrow(1, 0, 1));
    dropped += torch::allclose(states, without) ? 1 : 0;
  }
  REQUIRE(dropped > 60);
  REQUIRE(dropped < 140);
}

TEST_CASE("Positions are sines and cosines of falling frequency", "[nn][architectures]") {
  const auto positions = sinusoidal_positions(3, 2, 4, test_device());
  REQUIRE(positions.sizes() == at::IntArrayRef({2, 4}));
  REQUIRE(positions[0][0].item<double>() == Approx(std::sin(3.0)));
  REQUIRE(positions[0][1].item<double>() == Approx(std::cos(3.0)));
  REQUIRE(positions[1][2].item<double>() == Approx(std::sin(4.0 / 100.0)));
  REQUIRE(positions[1][3].item<double>() == Approx(std::cos(4.0 / 100.0)));
}

}  // namespace nmt
