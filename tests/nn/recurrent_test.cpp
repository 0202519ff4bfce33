#include "nn/recurrent.h"

#include <ATen/ATen.h>

#include "support/gradient_check.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

RecurrentOptions small_options(Cell cell) {
  RecurrentOptions options;
  options.cell = cell;
  options.input_size = 3;
  options.hidden_size = 5;
  options.num_layers = 2;
  return options;
}

// One GRU step as the header states it, gate by gate.
torch::Tensor gru_step(const torch::nn::Module& stack, const std::string& layer,
                       const torch::Tensor& x, const torch::Tensor& h) {
  const auto p = stack.named_parameters();
  const auto input =
      (torch::matmul(x, p["weight_ih" + layer].t()) + p["bias_ih" + layer]).chunk(3, 1);
  const auto hidden =
      (torch::matmul(h, p["weight_hh" + layer].t()) + p["bias_hh" + layer]).chunk(3, 1);
  const auto r = torch::sigmoid(input[0] + hidden[0]);
  const auto z = torch::sigmoid(input[1] + hidden[1]);
  const auto n = torch::tanh(input[2] + r * hidden[2]);
  return (1 - z) * n + z * h;
}

}  // namespace

TEST_CASE("A GRU stack computes the stated equations", "[nn][recurrent]") {
  torch::manual_seed(5);
  RecurrentStack stack(small_options(Cell::kGru));
  const auto input = torch::randn({4, 3, 3});  // [B, T, I]
  auto state = stack->zero_state(4);
  const auto output = stack(input, state);
  auto lower = torch::zeros({4, 5});
  auto upper = torch::zeros({4, 5});
  for (int64_t t = 0; t < 3; ++t) {
    lower = gru_step(*stack, "_l0", input.select(1, t), lower);
    upper = gru_step(*stack, "_l1", lower, upper);
    REQUIRE(torch::allclose(output.select(1, t), upper, 1e-5, 1e-6));
  }
  REQUIRE(torch::allclose(state.hidden[0], lower, 1e-5, 1e-6));
  REQUIRE(torch::allclose(state.hidden[1], upper, 1e-5, 1e-6));
}

TEST_CASE("Padding is never computed: each sequence ends in its own last state",
          "[nn][recurrent]") {
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    torch::manual_seed(6);
    RecurrentStack stack(small_options(cell));
    auto input = torch::randn({3, 4, 3});
    auto state = stack->zero_state(3);
    const auto output = stack->forward_padded(input, torch::tensor({4, 2, 1}), state);
    auto alone = stack->zero_state(1);
    const auto expected = stack(input.narrow(0, 1, 1).narrow(1, 0, 2), alone);
    REQUIRE(torch::allclose(output[1].narrow(0, 0, 2), expected[0], 1e-5, 1e-6));
    REQUIRE(output[1].narrow(0, 2, 2).abs().sum().item<double>() == 0.0);
    REQUIRE(torch::allclose(state.hidden.narrow(1, 1, 1), alone.hidden, 1e-5, 1e-6));
  }
}

TEST_CASE("A bidirectional stack's gradients agree with finite differences", "[nn][recurrent]") {
  torch::manual_seed(7);
  auto options = small_options(Cell::kGru);
  options.bidirectional = true;
  options.hidden_size = 2;
  RecurrentStack stack(options);
  stack->to(torch::kDouble);
  const auto input = torch::randn({2, 3, 3}, torch::kDouble).requires_grad_();
  const auto function = [&] {
    auto state = stack->zero_state(2);
    const auto output = stack->forward_padded(input, torch::tensor({3, 2}), state);
    return output.pow(2).sum() + state.hidden.sum();
  };
  auto leaves = stack->parameters();
  leaves.push_back(input);
  REQUIRE(gradient_error(leaves, function) < 1e-6);
}

TEST_CASE("Only an LSTM has a cell state", "[nn][recurrent]") {
  REQUIRE_FALSE(RecurrentStack(small_options(Cell::kGru))->zero_state(2).cell.defined());
  REQUIRE(RecurrentStack(small_options(Cell::kLstm))->zero_state(2).cell.defined());
}

}  // namespace nmt
