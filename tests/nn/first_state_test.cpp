#include "nn/first_state.h"

#include <ATen/ATen.h>

#include <vector>

#include "support/test_device.h"

namespace nmt {
namespace {

ModelConfig config_of(DecoderInit kind, int64_t layers = 1) {
  ModelConfig config;
  config.hidden_size = 2;
  config.num_layers = layers;
  config.decoder_init = kind;
  return config;
}

/// Two sentences of 2 and 1 tokens, states 0 on padding; H = 2, one layer.
EncodedStates encoded_pair() {
  EncodedStates encoded;
  encoded.states =
      on_device(torch::tensor({{{1.0F, 2.0F}, {3.0F, -4.0F}}, {{5.0F, 6.0F}, {0.0F, 0.0F}}}));
  encoded.final_state.hidden = on_device(torch::tensor({{{0.5F, -1.0F}, {2.0F, 0.25F}}}));
  encoded.final_state.cell = on_device(torch::tensor({{{7.0F, 8.0F}, {9.0F, 10.0F}}}));
  return encoded;
}

torch::Tensor pair_lengths() { return torch::tensor({2, 1}); }

/// With W = [[1, 2], [0, 1]] and b = [0.1, −0.1].
RecurrentState state_of(DecoderInit kind) {
  FirstState first_state(config_of(kind));
  first_state->to(test_device());
  const torch::NoGradGuard no_gradient;
  auto parameters = first_state->named_parameters();
  if (parameters.contains("l0.weight")) {
    parameters["l0.weight"].copy_(torch::tensor({{1.0F, 2.0F}, {0.0F, 1.0F}}));
    parameters["l0.bias"].copy_(torch::tensor({0.1F, -0.1F}));
  }
  return first_state(encoded_pair(), pair_lengths());
}

void require_hidden(const RecurrentState& state, const torch::Tensor& expected) {
  CHECK(all_close(state.hidden, expected.unsqueeze(0), 1e-5, 1e-6));
}

}  // namespace

TEST_CASE("The decoder starts with the encoder's final states", "[nn][first_state]") {
  const auto state = state_of(DecoderInit::kFinal);
  CHECK(torch::equal(state.hidden, encoded_pair().final_state.hidden));
  CHECK(torch::equal(state.cell, encoded_pair().final_state.cell));
}

TEST_CASE("A bridge maps the final states, and keeps the cells", "[nn][first_state]") {
  const auto state = state_of(DecoderInit::kBridge);
  // 0.5 − 2 + 0.1, −1 − 0.1; 2 + 0.5 + 0.1, 0.25 − 0.1
  require_hidden(state, torch::tanh(torch::tensor({{-1.4F, -1.1F}, {2.6F, 0.15F}})));
  CHECK(torch::equal(state.cell, encoded_pair().final_state.cell));
}

TEST_CASE("The mean of the encoder's states leaves padding out", "[nn][first_state]") {
  const auto state = state_of(DecoderInit::kMean);
  // The means are [2, −1] and [5, 6].
  require_hidden(state, torch::tanh(torch::tensor({{0.1F, -1.1F}, {17.1F, 5.9F}})));
  CHECK(state.cell.abs().max().item<float>() == 0.0F);
}

TEST_CASE("Top layers of decoder and encoder correspond", "[nn][first_state]") {
  struct Case {
    int64_t encoder_layers, decoder_layers;
    std::vector<int64_t> chosen;
  };
  for (const auto& [encoder_layers, decoder_layers, chosen] :
       {Case{3, 2, {1, 2}}, {3, 1, {2}}, {2, 3, {0, 0, 1}}, {1, 3, {0, 0, 0}}, {2, 2, {0, 1}}}) {
    INFO(encoder_layers << " and " << decoder_layers);
    const auto picked = on_device(torch::tensor(chosen));
    EncodedStates encoded;
    encoded.states = on_device(torch::randn({2, 2, 2}));
    encoded.final_state.hidden = on_device(torch::randn({encoder_layers, 2, 2}));  // [E, B, H]
    encoded.final_state.cell = on_device(torch::randn({encoder_layers, 2, 2}));
    const auto expected = encoded.final_state.hidden.index_select(0, picked);
    const auto cells = encoded.final_state.cell.index_select(0, picked);
    auto config = config_of(DecoderInit::kFinal, encoder_layers);
    config.decoder_layers = decoder_layers;
    const auto state = FirstState(config)(encoded, pair_lengths());
    CHECK(torch::equal(state.hidden, expected));
    CHECK(torch::equal(state.cell, cells));
    config.decoder_init = DecoderInit::kBridge;
    FirstState bridge(config);
    bridge->to(test_device());
    REQUIRE(bridge->parameters().size() == 2 * chosen.size());
    const torch::NoGradGuard no_gradient;
    for (auto& item : bridge->named_parameters()) {
      item.value().copy_(item.value().dim() == 2 ? torch::eye(2) : torch::zeros({2}));
    }
    const auto bridged = bridge(encoded, pair_lengths());
    CHECK(all_close(bridged.hidden, torch::tanh(expected)));
    CHECK(torch::equal(bridged.cell, cells));
    for (const auto kind : {DecoderInit::kMean, DecoderInit::kZero}) {
      config.decoder_init = kind;
      FirstState made(config);
      made->to(test_device());
      const auto other = made(encoded, pair_lengths());
      CHECK(other.hidden.sizes() == expected.sizes());
      CHECK(torch::equal(other.cell, torch::zeros_like(expected)));
    }
  }
}

TEST_CASE("A first state of zeros is zero and learns nothing", "[nn][first_state]") {
  const auto state = state_of(DecoderInit::kZero);
  CHECK(state.hidden.sizes() == at::IntArrayRef({1, 2, 2}));
  CHECK(state.hidden.abs().max().item<float>() == 0.0F);
  CHECK(state.cell.abs().max().item<float>() == 0.0F);
  CHECK(FirstState(config_of(DecoderInit::kZero, 3))->parameters().empty());
  CHECK(FirstState(config_of(DecoderInit::kFinal, 3))->parameters().empty());
  CHECK(FirstState(config_of(DecoderInit::kMean, 3))->parameters().size() == 6);
}

}  // namespace nmt
