#include "nn/attention.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "attentions/attention_kind.h"
#include "support/gradient_check.h"
#include "support/test_device.h"

namespace nmt {
namespace {

// One sentence of 3 positions, the last of them padding.
torch::Tensor worked_states() {
  return on_device(torch::tensor({{{1.0f, 0.0f}, {0.0f, 2.0f}, {9.0f, 9.0f}}}));
}

torch::Tensor worked_mask() { return on_device(torch::tensor({{{false, false, true}}})); }

/// make_attention() on the device.
Attention made_attention(const AttentionOptions& options) {
  auto attention = make_attention(options);
  attention->to(test_device());
  return attention;
}

Attention attention_with(const AttentionOptions& options,
                         const std::map<std::string, torch::Tensor>& matrices) {
  auto attention = made_attention(options);
  const at::NoGradGuard no_gradients;
  for (const auto& [name, values] : matrices) {
    attention->named_parameters()[name + ".weight"].copy_(values);
  }
  return attention;
}

AttentionOutput ask(Attention attention, std::vector<float> decoder_state) {
  const auto size = static_cast<int64_t>(decoder_state.size());
  const auto memory = attention->prepare(worked_states(), worked_mask());
  return attention->forward(on_device(torch::tensor(decoder_state)).view({1, 1, size}), memory);
}

double weight(const AttentionOutput& output, int64_t position) {
  return output.weights[0][0][position].item<double>();
}

double context(const AttentionOutput& output, int64_t unit) {
  return output.context[0][0][unit].item<double>();
}

/// The share of the first of two scores that differ by `difference`.
double share(double difference) { return 1.0 / (1.0 + std::exp(-difference)); }

torch::Tensor diagonal(float first, float second) {
  return torch::tensor({{first, 0.0f}, {0.0f, second}});
}

const auto kAttentive = [] {
  auto kinds = attention_kinds();
  kinds.erase(std::find(kinds.begin(), kinds.end(), &none_attention()));
  return kinds;
}();

Attention random_attention(const AttentionKind* kind) { return made_attention({kind, 4, 2}); }

// The example of the hand-worked numbers: three inputs of four, three columns of each matrix.
const auto kInputs = [] {
  return on_device(torch::tensor({{1.0, 0.0, 1.0, 0.0}, {0.0, 2.0, 0.0, 2.0}, {1.0, 1.0, 1.0, 1.0}},
                                 torch::kDouble));
};
const auto kQueryMatrix = [] {
  return on_device(torch::tensor(
      {{1.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, 1.0, 1.0}}, torch::kDouble));
};
const auto kKeyMatrix = [] {
  return on_device(torch::tensor(
      {{0.0, 0.0, 1.0}, {1.0, 1.0, 0.0}, {0.0, 1.0, 0.0}, {1.0, 1.0, 0.0}}, torch::kDouble));
};
const auto kValueMatrix = [] {
  return on_device(torch::tensor(
      {{0.0, 2.0, 0.0}, {0.0, 3.0, 0.0}, {1.0, 0.0, 3.0}, {1.0, 1.0, 0.0}}, torch::kDouble));
};

/// Σ_j e^{score_j / divisor} value_j / Σ_j e^{score_j / divisor}
std::vector<double> worked_mean(const std::vector<double>& scores, double divisor,
                                const std::vector<std::vector<double>>& values) {
  std::vector<double> mean(3, 0.0);
  double sum = 0.0;
  for (size_t j = 0; j < 3; ++j) {
    const double share_of_j = std::exp(scores[j] / divisor);
    sum += share_of_j;
    for (size_t unit = 0; unit < 3; ++unit) mean[unit] += share_of_j * values[j][unit];
  }
  for (auto& unit : mean) unit /= sum;
  return mean;
}

}  // namespace

TEST_CASE("Dot attention gives the numbers worked by hand", "[nn][attention]") {
  // h_t = (1, 1): scores (1, 2, -inf).
  const auto output = ask(attention_with({&dot_attention(), 2}, {}), {1.0f, 1.0f});
  REQUIRE(weight(output, 0) == Approx(share(-1.0)));
  REQUIRE(weight(output, 2) == 0.0);
  REQUIRE(context(output, 1) == Approx(2.0 * share(1.0)));
}

TEST_CASE("General attention gives the numbers worked by hand", "[nn][attention]") {
  const auto attention =
      attention_with({&general_attention(), 2}, {{"linear", diagonal(2.0f, 0.5f)}});
  // h_t = (0.5, 1): q = (1, 0.5); scores (1, 1, -inf); weights (1/2, 1/2, 0); context (1/2, 1).
  const auto even = ask(attention, {0.5f, 1.0f});
  REQUIRE(weight(even, 0) == Approx(0.5));
  REQUIRE(weight(even, 1) == Approx(0.5));
  REQUIRE(context(even, 0) == Approx(0.5));
  REQUIRE(context(even, 1) == Approx(1.0));
  // h_t = (1, 0): q = (2, 0); scores (2, 0); weight of the first e²/(e²+1).
  const auto leaning = ask(attention, {1.0f, 0.0f});
  REQUIRE(weight(leaning, 0) == Approx(share(2.0)));
  REQUIRE(context(leaning, 1) == Approx(2.0 * share(-2.0)));
}

TEST_CASE("Additive attention gives the numbers worked by hand", "[nn][attention]") {
  const auto attention =
      attention_with({&additive_attention(), 2}, {{"query", diagonal(1.0f, 1.0f)},
                                                  {"key", diagonal(0.5f, -1.0f)},
                                                  {"energy", torch::tensor({{3.0f, 1.0f}})}});
  // h_t = (0.5, 1): sums (1, 1) and (0.5, -1); scores 3 tanh 1 + tanh 1 and 3 tanh 0.5 − tanh 1.
  const double difference = 5.0 * std::tanh(1.0) - 3.0 * std::tanh(0.5);
  const auto output = ask(attention, {0.5f, 1.0f});
  REQUIRE(weight(output, 0) == Approx(share(difference)));
  REQUIRE(context(output, 1) == Approx(2.0 * share(-difference)));
}

TEST_CASE("Scaled-dot attention gives the numbers worked by hand", "[nn][attention]") {
  const auto attention =
      attention_with({&scaled_dot_attention(), 2}, {{"query", diagonal(1.0f, 2.0f)},
                                                    {"key", diagonal(3.0f, 1.0f)},
                                                    {"value", diagonal(10.0f, 100.0f)}});
  // h_t = (1, 1): q = (1, 2); keys (3, 0) and (0, 2); scores 3/√2 and 4/√2.
  const auto output = ask(attention, {1.0f, 1.0f});
  REQUIRE(weight(output, 0) == Approx(share(-1.0 / std::sqrt(2.0))));
  REQUIRE(context(output, 0) == Approx(10.0 * share(-1.0 / std::sqrt(2.0))));
  REQUIRE(context(output, 1) == Approx(200.0 * share(1.0 / std::sqrt(2.0))));
}

TEST_CASE("Multi-head attention is a scaled-dot attention of each share", "[nn][attention]") {
  const auto attention =
      attention_with({&multi_head_attention(), 2, 2}, {{"query", diagonal(1.0f, 1.0f)},
                                                       {"key", diagonal(1.0f, 1.0f)},
                                                       {"value", diagonal(1.0f, 1.0f)},
                                                       {"output", diagonal(1.0f, 10.0f)}});
  // Heads of one unit, √d = 1. The first sees scores (3, 0), the second (0, −2).
  const auto output = ask(attention, {3.0f, -1.0f});
  REQUIRE(context(output, 0) == Approx(share(3.0)));
  REQUIRE(context(output, 1) == Approx(20.0 * share(-2.0)));
  REQUIRE(weight(output, 0) == Approx((share(3.0) + share(2.0)) / 2));
}

TEST_CASE("Queries, keys, values and outputs are those of the worked example", "[nn][attention]") {
  const auto queries = torch::matmul(kInputs(), kQueryMatrix());
  const auto keys = torch::matmul(kInputs(), kKeyMatrix());
  const auto values = torch::matmul(kInputs(), kValueMatrix());
  const auto integers = [](std::vector<double> rows) {
    return on_device(torch::tensor(rows, torch::kDouble)).view({3, 3});
  };
  REQUIRE(torch::equal(queries, integers({1, 0, 2, 2, 2, 2, 2, 1, 3})));
  REQUIRE(torch::equal(keys, integers({0, 1, 1, 4, 4, 0, 2, 3, 1})));
  REQUIRE(torch::equal(values, integers({1, 2, 3, 2, 8, 0, 2, 6, 3})));

  // Q Kᵀ, by hand.
  const std::vector<std::vector<double>> scores = {{2, 4, 4}, {4, 16, 12}, {4, 12, 10}};
  const std::vector<std::vector<double>> rows = {{1, 2, 3}, {2, 8, 0}, {2, 6, 3}};
  const auto identity = torch::eye(3);
  auto attention =
      attention_with({&multi_head_attention(), 3}, {{"query", identity}, {"output", identity}});
  attention->to(torch::kDouble);
  const AttentionMemory memory{keys.unsqueeze(0), values.unsqueeze(0), {}};  // of one sentence
  for (const double divisor : {1.0, std::sqrt(3.0)}) {
    // The attention divides by √d, which is √3 here.
    const auto scaled = queries * (std::sqrt(3.0) / divisor);
    const auto found = attention->forward(scaled.unsqueeze(0), memory).context;
    for (size_t i = 0; i < 3; ++i) {
      const auto expected = worked_mean(scores[i], divisor, rows);
      for (size_t unit = 0; unit < 3; ++unit) {
        const auto place = static_cast<int64_t>(i * 3 + unit);
        REQUIRE(found.view({-1})[place].item<double>() == Approx(expected[unit]));
      }
    }
  }
}

TEST_CASE("A temperature divides the scores of every attention", "[nn][attention]") {
  torch::manual_seed(4);
  const auto states = on_device(torch::randn({1, 5, 4}));
  const auto query = on_device(torch::randn({1, 1, 4}));
  for (const auto* kind : kAttentive) {
    if (!kind->is_softmax) continue;  // worked by hand below
    INFO(kind->name);
    const auto plain = made_attention({kind, 4, 1});
    const auto tempered = made_attention({kind, 4, 1, /*temperature=*/4.0});
    const torch::NoGradGuard no_gradient;
    for (const auto& item : tempered->named_parameters()) {
      item.value().copy_(plain->named_parameters()[item.key()]);
    }
    // ln a_i − ln a_0 is the difference of their scores.
    const auto differences = [&](Attention attention) {
      const auto weights =
          attention->forward(query, attention->prepare(states, {})).weights.flatten().log();
      return weights - weights[0];
    };
    CHECK(differences(plain).abs().max().item<double>() > 1e-3);
    CHECK(all_close(4 * differences(tempered), differences(plain), 1e-3, 1e-5));
  }
}

TEST_CASE("Padding gets no weight and has no influence, whatever the attention",
          "[nn][attention]") {
  torch::manual_seed(2);
  const auto mask = on_device(torch::tensor({{{false, false, true}}}));
  for (const auto* kind : kAttentive) {
    INFO(kind->name);
    auto attention = random_attention(kind);
    auto states = on_device(torch::randn({1, 3, 4}));
    const auto query = on_device(torch::randn({1, 2, 4}));
    const auto before = attention->forward(query, attention->prepare(states, mask));
    states = states.clone();
    states[0][2].fill_(-1e4f);
    const auto after = attention->forward(query, attention->prepare(states, mask));
    REQUIRE(before.weights.select(2, 2).abs().sum().item<double>() == 0.0);
    const auto sums = before.weights.sum(-1);
    if (kind->is_softmax) {
      REQUIRE(sums.sub(1).abs().max().item<double>() < 1e-6);
    } else {
      REQUIRE((sums.gt(0) & sums.lt(1)).all().item<bool>());
    }
    REQUIRE(torch::equal(before.context, after.context));
  }
}

TEST_CASE("No attention learns a bias, and none learns nothing", "[nn][attention]") {
  for (const auto* kind : attention_kinds()) {
    const auto attention = random_attention(kind);
    REQUIRE(attention->named_parameters().size() == kind->matrices.size());
    REQUIRE_FALSE(attention->named_parameters().contains("linear.bias"));
  }
  REQUIRE(random_attention(&none_attention())->parameters().empty());
  const auto output =
      random_attention(&none_attention())->forward(on_device(torch::ones({1, 1, 4})), {});
  REQUIRE_FALSE(output.context.defined());
}

TEST_CASE("A bilinear matrix starts 1/√H as large as other matrices", "[nn][attention]") {
  CHECK(general_attention().matrices.front().bilinear);
  constexpr int64_t kSize = 64;
  for (const auto* kind : attention_kinds()) {
    const auto attention = made_attention({kind, kSize, 4});
    const auto scales = attention->learning_scales();
    for (const auto& matrix : kind->matrices) {
      const auto name = std::string(matrix.name) + ".weight";
      INFO(kind->name << " " << name);
      const double expected = matrix.bilinear ? 1.0 / 8 : 1.0;  // 8 = √64
      REQUIRE(scales.at(name) == Approx(expected));
      const double largest = attention->named_parameters()[name].abs().max().item<double>();
      REQUIRE(largest <= expected / 8);
      REQUIRE(largest > 0.5 * expected / 8);
    }
  }
}

TEST_CASE("Every attention's gradients agree with finite differences", "[nn][attention]") {
  torch::manual_seed(3);
  for (const auto* kind : kAttentive) {
    INFO(kind->name);
    auto attention = random_attention(kind);
    attention->to(torch::kDouble);
    const auto queries = on_device(torch::randn({2, 3, 4}, torch::kDouble)).requires_grad_();
    const auto states = on_device(torch::randn({2, 5, 4}, torch::kDouble)).requires_grad_();
    const auto mask = on_device(padding_mask(torch::tensor({5, 2}), 5));
    const auto function = [&] {
      const auto memory = attention->prepare(states, mask);
      const auto context = attention->forward(queries, memory).context;
      return (context * on_device(torch::arange(1, 5, torch::kDouble))).pow(2).sum();
    };
    auto leaves = attention->parameters();
    leaves.push_back(queries);
    leaves.push_back(states);
    REQUIRE(gradient_error(leaves, function) < 1e-6);
  }
}

TEST_CASE("Coverage adds to the keys", "[nn][attention]") {
  // w_c = (1, -0.5), C = (0.5, 0.25): keys (1, 0) + (0.5, -0.25) and (0, 2) + (0.25, -0.125).
  const auto w_c = torch::tensor({{1.0f, -0.5f}});
  const auto ask_covered = [](Attention attention) {
    auto memory = attention->prepare(worked_states(), worked_mask());
    memory.coverage = on_device(torch::tensor({{{0.5f, 0.25f, 0.0f}}}));
    return attention->forward(on_device(torch::tensor({{{1.0f, 2.0f}}})), memory);
  };
  // h_t = (1, 2): scores 1.5 − 0.5 and 0.25 + 3.75.
  const auto dot =
      ask_covered(attention_with({&dot_attention(), 2, 1, 1.0, true}, {{"coverage", w_c}}));
  REQUIRE(weight(dot, 0) == Approx(share(-3.0)));
  REQUIRE(weight(dot, 2) == 0.0);
  REQUIRE(context(dot, 1) == Approx(2.0 * share(3.0)));  // the values are the states
  const auto additive = ask_covered(attention_with({&additive_attention(), 2, 1, 1.0, true},
                                                   {{"query", diagonal(1.0f, 0.5f)},
                                                    {"key", diagonal(0.5f, -0.5f)},
                                                    {"energy", torch::tensor({{3.0f, 1.0f}})},
                                                    {"coverage", w_c}}));
  // Query (1, 1), keys (0.5, 0) and (0, -1).
  const double first = 3 * std::tanh(1 + 0.5 + 0.5) + std::tanh(1 + 0 - 0.25);
  const double second = 3 * std::tanh(1 + 0 + 0.25) + std::tanh(1 - 1 - 0.125);
  REQUIRE(weight(additive, 0) == Approx(share(first - second)));
}

TEST_CASE("Every attention that takes coverage sees its sum in the keys, of each query on its own",
          "[nn][attention]") {
  int64_t kinds = 0;
  for (const auto* kind : attention_kinds()) {
    if (!kind->takes_coverage) continue;
    ++kinds;
    INFO(kind->name);
    torch::manual_seed(8);
    auto attention = made_attention({kind, 4, 1, 1.3, true});
    attention->to(torch::kDouble);
    const auto queries = on_device(torch::randn({2, 3, 4}, torch::kDouble)).requires_grad_();
    const auto states = on_device(torch::randn({2, 5, 4}, torch::kDouble)).requires_grad_();
    const auto coverage = on_device(torch::rand({2, 3, 5}, torch::kDouble)).requires_grad_();
    const auto mask = on_device(padding_mask(torch::tensor({5, 2}), 5));
    const auto covered = [&] {
      auto memory = attention->prepare(states, mask);
      memory.coverage = coverage;
      return attention->forward(queries, memory);
    };
    const auto weights = covered().weights;
    const auto w_c = attention->named_parameters()["coverage.weight"];
    for (int64_t query = 0; query < 3; ++query) {
      auto memory = attention->prepare(states, mask);
      memory.keys = memory.keys + coverage.select(1, query).unsqueeze(2) * w_c;
      const auto one = attention->forward(queries.narrow(1, query, 1), memory);
      REQUIRE(all_close(one.weights.select(1, 0), weights.select(1, query)));
      REQUIRE(all_close(one.context.select(1, 0), covered().context.select(1, query)));
    }
    auto leaves = attention->parameters();
    leaves.insert(leaves.end(), {queries, states, coverage});
    const auto function = [&] {
      return (covered().context * on_device(torch::arange(1, 5, torch::kDouble))).pow(2).sum();
    };
    REQUIRE(gradient_error(leaves, function) < 1e-6);
  }
  REQUIRE(kinds >= 4);
}

TEST_CASE("Location attention gives the numbers worked by hand", "[nn][attention]") {
  auto rows = torch::zeros({kLocationPositions, 2});
  rows.narrow(0, 0, 3).copy_(torch::tensor({{1.0f, 0.0f}, {0.0f, 2.0f}, {9.0f, 9.0f}}));
  for (const double temperature : {1.0, 2.0}) {
    // h_t = (0.5, 1): scores (0.5, 2, -inf), whatever the words.
    const auto output =
        ask(attention_with({&location_attention(), 2, 1, temperature}, {{"location", rows}}),
            {0.5f, 1});
    REQUIRE(weight(output, 0) == Approx(share(-1.5 / temperature)));
    REQUIRE(weight(output, 2) == 0.0);
    REQUIRE(context(output, 1) == Approx(2.0 * share(1.5 / temperature)));
  }
}

TEST_CASE("Location attention sees as many words as it has rows", "[nn][attention]") {
  auto even = attention_with({&location_attention(), 2},
                             {{"location", torch::zeros({kLocationPositions, 2})}});
  const auto weights =
      even->forward(on_device(torch::ones({1, 1, 2})),
                    even->prepare(on_device(torch::ones({1, kLocationPositions + 3, 2})), {}))
          .weights.flatten();
  REQUIRE(all_close(weights.narrow(0, 0, kLocationPositions),
                    torch::full({kLocationPositions}, 1.0 / kLocationPositions)));
  REQUIRE(weights.narrow(0, kLocationPositions, 3).abs().sum().item<double>() == 0.0);
}

TEST_CASE("Monotonic attention sees ten words to each side of the step's in its own sentence",
          "[nn][attention]") {
  auto attention = attention_with({&local_m_attention(), 2}, {{"linear", diagonal(2.0f, 0.5f)}});
  // Within the window it is general attention: q = (2, 0), scores (2, 0, -inf).
  const auto near = ask(attention, {1.0f, 0.0f});
  REQUIRE(weight(near, 0) == Approx(share(2.0)));
  REQUIRE(weight(near, 2) == 0.0);
  // Equal scores: a weight is one over the number of words in the window.
  const auto lengths = torch::tensor({30, 4});
  auto memory =
      attention->prepare(on_device(torch::ones({2, 30, 2})), on_device(padding_mask(lengths, 30)));
  const std::vector<float> steps = {1, 2, 15, 30, 31, 99};
  memory.steps = on_device(torch::tensor(steps));
  const auto weights = attention->forward(on_device(torch::ones({2, 6, 2})), memory).weights;
  for (int sentence = 0; sentence < 2; ++sentence) {
    const int words = lengths[sentence].item<int>();
    for (size_t query = 0; query < steps.size(); ++query) {
      const float position = std::min(steps[query], static_cast<float>(words));
      int seen = 0;
      for (int s = 1; s <= words; ++s) seen += std::abs(static_cast<float>(s) - position) <= 10;
      REQUIRE(seen == (sentence == 1 ? 4 : std::vector<int>{11, 12, 21, 11, 11, 11}[query]));
      for (int s = 1; s <= 30; ++s) {
        const bool is_seen = s <= words && std::abs(static_cast<float>(s) - position) <= 10;
        INFO("sentence " << sentence << "  step " << steps[query] << "  word " << s);
        REQUIRE(weights[sentence][static_cast<int64_t>(query)][s - 1].item<double>() ==
                Approx(is_seen ? 1.0 / seen : 0.0));
      }
    }
  }
  // Without steps the queries are the first ones; one step serves all queries.
  memory.steps = torch::Tensor();
  const auto first = attention->forward(on_device(torch::ones({2, 2, 2})), memory).weights;
  REQUIRE(torch::equal(first, weights.narrow(1, 0, 2)));
  memory.steps = on_device(torch::tensor({2.0f}));
  const auto same = attention->forward(on_device(torch::ones({2, 2, 2})), memory).weights;
  REQUIRE(torch::equal(same, weights.narrow(1, 1, 1).expand({2, 2, 30})));
}

TEST_CASE("Local attention gives the numbers worked by hand", "[nn][attention]") {
  const std::map<std::string, torch::Tensor> matrices = {
      {"linear", diagonal(2.0f, 0.5f)},
      {"position", diagonal(1.0f, 2.0f)},
      {"center", torch::tensor({{1.0f, -1.0f}})}};
  const auto gaussian = [](double distance) { return std::exp(-distance * distance / 50.0); };
  // h_t = (0.5, 1): q = (1, 0.5), scores (1, 1, -inf); 2 words, p = 2 σ(tanh 0.5 − tanh 2).
  const auto even = ask(attention_with({&local_p_attention(), 2}, matrices), {0.5f, 1.0f});
  const double p = 2.0 * share(std::tanh(0.5) - std::tanh(2.0));
  REQUIRE(weight(even, 0) == Approx(0.5 * gaussian(1 - p)));
  REQUIRE(weight(even, 1) == Approx(0.5 * gaussian(2 - p)));
  REQUIRE(weight(even, 2) == 0.0);
  REQUIRE(context(even, 0) == Approx(weight(even, 0)));
  REQUIRE(context(even, 1) == Approx(2 * weight(even, 1)));
  // h_t = (1, 0): q = (2, 0), scores (2, 0); a temperature divides them alone, not p = 2 σ(tanh 1).
  for (const double temperature : {1.0, 4.0}) {
    const auto output =
        ask(attention_with({&local_p_attention(), 2, 1, temperature}, matrices), {1.0f, 0.0f});
    const double center = 2.0 * share(std::tanh(1.0));
    REQUIRE(weight(output, 0) == Approx(share(2.0 / temperature) * gaussian(1 - center)));
    REQUIRE(weight(output, 1) == Approx(share(-2.0 / temperature) * gaussian(2 - center)));
  }
}

TEST_CASE("Local attention sees ten words to each side of a position in its own sentence",
          "[nn][attention]") {
  // Equal scores: a weight is the Gaussian's over the number of words in the window.
  auto attention =
      attention_with({&local_p_attention(), 2}, {{"linear", diagonal(0.0f, 0.0f)},
                                                 {"position", diagonal(100.0f, 0.0f)},
                                                 {"center", torch::tensor({{30.0f, 0.0f}})}});
  const auto states = on_device(torch::ones({2, 30, 2}));
  const auto queries = on_device(torch::tensor({{0.0f, 0.0f}, {1.0f, 0.0f}, {-1.0f, 0.0f}}));
  const auto lengths = torch::tensor({30, 4});
  const auto weights =
      attention
          ->forward(queries.unsqueeze(0).expand({2, 3, 2}),
                    attention->prepare(states, on_device(padding_mask(lengths, 30))))
          .weights;
  for (int sentence = 0; sentence < 2; ++sentence) {
    const int words = lengths[sentence].item<int>();
    const std::vector<double> positions = {words / 2.0, words * 1.0, 0.0};  // of the queries
    for (int query = 0; query < 3; ++query) {
      const double position = positions[static_cast<size_t>(query)];
      int seen = 0;
      for (int s = 1; s <= words; ++s) seen += std::abs(s - position) <= 10;
      REQUIRE(seen == (sentence == 1 ? 4 : query == 0 ? 21 : query == 1 ? 11 : 10));
      for (int s = 1; s <= 30; ++s) {
        const double distance = s - position;
        const bool is_seen = s <= words && std::abs(distance) <= 10;
        const double expected = is_seen ? std::exp(-distance * distance / 50) / seen : 0.0;
        INFO("sentence " << sentence << "  query " << query << "  word " << s);
        REQUIRE(weights[sentence][query][s - 1].item<double>() == Approx(expected));
      }
    }
  }
  // Without a mask all words are the sentence's.
  const auto whole =
      attention->forward(queries.unsqueeze(0), attention->prepare(states.slice(0, 0, 1), {}));
  REQUIRE(all_close(whole.weights, weights.slice(0, 0, 1)));
}

TEST_CASE("The gradient of a window that hides words agrees with finite differences",
          "[nn][attention]") {
  for (const auto* kind : {&local_m_attention(), &local_p_attention()}) {
    INFO(kind->name);
    torch::manual_seed(6);
    auto attention = random_attention(kind);
    attention->to(torch::kDouble);
    const auto queries = on_device(3 * torch::randn({2, 3, 4}, torch::kDouble)).requires_grad_();
    const auto states = on_device(torch::randn({2, 40, 4}, torch::kDouble)).requires_grad_();
    const auto mask = on_device(padding_mask(torch::tensor({40, 26}), 40));
    const auto function = [&] {
      const auto output = attention->forward(queries, attention->prepare(states, mask));
      REQUIRE(output.weights.eq(0).sum().item<int64_t>() >= 3 * (40 - 21) + 3 * (40 - 21));
      return (output.context * on_device(torch::arange(1, 5, torch::kDouble))).pow(2).sum();
    };
    REQUIRE(gradient_error(attention->parameters(), function) < 1e-6);
    REQUIRE(gradient_error({queries, states}, function) < 1e-6);
  }
}

TEST_CASE("The padding mask is true exactly behind each sentence", "[nn][attention]") {
  const auto mask = padding_mask(on_device(torch::tensor({3, 1})), 4);
  const auto expected =
      on_device(torch::tensor({{{false, false, false, true}}, {{false, true, true, true}}}));
  REQUIRE(torch::equal(mask, expected));
}

}  // namespace nmt
