#include "nn/attention.h"

#include <ATen/ATen.h>

#include <cmath>

#include "support/gradient_check.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

// One sentence of 3 positions, the last of them padding; W doubles the first unit, halves the
// second.
AttentionMemory worked_memory() {
  return {torch::tensor({{{1.0f, 0.0f}, {0.0f, 2.0f}, {9.0f, 9.0f}}}),
          torch::tensor({{false, false, true}})};
}

GeneralAttention worked_attention() {
  GeneralAttention attention(2);
  const at::NoGradGuard no_gradients;
  attention->named_parameters()["linear.weight"].copy_(torch::tensor({{2.0f, 0.0f}, {0.0f, 0.5f}}));
  return attention;
}

}  // namespace

TEST_CASE("General attention gives the numbers worked by hand", "[nn][attention]") {
  auto attention = worked_attention();
  // h_t = (0.5, 1): q = (1, 0.5); scores (1, 1, -inf); weights (1/2, 1/2, 0); context (1/2, 1).
  const auto even = attention(torch::tensor({{{0.5f, 1.0f}}}), worked_memory());
  REQUIRE(even.weights[0][0][0].item<double>() == Approx(0.5));
  REQUIRE(even.weights[0][0][1].item<double>() == Approx(0.5));
  REQUIRE(even.context[0][0][0].item<double>() == Approx(0.5));
  REQUIRE(even.context[0][0][1].item<double>() == Approx(1.0));
  // h_t = (1, 0): q = (2, 0); scores (2, 0); weight of the first e²/(e²+1).
  const auto leaning = attention(torch::tensor({{{1.0f, 0.0f}}}), worked_memory());
  const double first = std::exp(2.0) / (std::exp(2.0) + 1.0);
  REQUIRE(leaning.weights[0][0][0].item<double>() == Approx(first));
  REQUIRE(leaning.context[0][0][1].item<double>() == Approx(2.0 * (1.0 - first)));
}

TEST_CASE("General attention gives padding no weight and no influence", "[nn][attention]") {
  auto attention = worked_attention();
  auto memory = worked_memory();
  const auto query = torch::tensor({{{0.3f, -0.7f}, {1.5f, 0.2f}}});
  const auto before = attention(query, memory);
  memory.values = memory.values.clone();
  memory.values[0][2].fill_(-1e4f);
  const auto after = attention(query, memory);
  REQUIRE(before.weights.select(2, 2).abs().sum().item<double>() == 0.0);
  REQUIRE(torch::equal(before.context, after.context));
}

TEST_CASE("General attention has no bias", "[nn][attention]") {
  GeneralAttention attention(5);
  REQUIRE(attention->named_parameters().size() == 1);
  REQUIRE(attention->named_parameters().contains("linear.weight"));
}

TEST_CASE("General attention's gradients agree with finite differences", "[nn][attention]") {
  torch::manual_seed(3);
  GeneralAttention attention(3);
  attention->to(torch::kDouble);
  const auto states = torch::randn({2, 4, 3}, torch::kDouble).requires_grad_();
  const auto values = torch::randn({2, 5, 3}, torch::kDouble).requires_grad_();
  const AttentionMemory memory{values, padding_mask(torch::tensor({5, 2}), 5)};
  const auto function = [&] {
    return (attention(states, memory).context * torch::arange(1, 4, torch::kDouble)).pow(2).sum();
  };
  auto leaves = attention->parameters();
  leaves.push_back(states);
  leaves.push_back(values);
  REQUIRE(gradient_error(leaves, function) < 1e-6);
}

TEST_CASE("The padding mask is true exactly behind each sentence", "[nn][attention]") {
  const auto mask = padding_mask(torch::tensor({3, 1}), 4);
  const auto expected = torch::tensor({{false, false, false, true}, {false, true, true, true}});
  REQUIRE(torch::equal(mask, expected));
}

}  // namespace nmt
