#include "nn/recurrent.h"

#include <ATen/ATen.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/gradient_check.h"
#include "support/test_device.h"

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

RecurrentStack made_stack(const RecurrentOptions& options) {
  RecurrentStack stack(options);
  stack->to(test_device());
  return stack;
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
  auto stack = made_stack(small_options(Cell::kGru));
  const auto input = on_device(torch::randn({4, 3, 3}));  // [B, T, I]
  auto state = stack->zero_state(4);
  const auto output = stack(input, state);
  auto lower = on_device(torch::zeros({4, 5}));
  auto upper = on_device(torch::zeros({4, 5}));
  for (int64_t t = 0; t < 3; ++t) {
    lower = gru_step(*stack, "_l0", input.select(1, t), lower);
    upper = gru_step(*stack, "_l1", lower, upper);
    REQUIRE(all_close(output.select(1, t), upper, 1e-5, 1e-6));
  }
  REQUIRE(all_close(state.hidden[0], lower, 1e-5, 1e-6));
  REQUIRE(all_close(state.hidden[1], upper, 1e-5, 1e-6));
}

namespace {

std::vector<double> normalized(const std::vector<double>& x, const std::vector<double>& gain,
                               const std::vector<double>& bias) {
  const auto count = static_cast<double>(x.size());
  double mean = 0, variance = 0;
  for (const double value : x) mean += value / count;
  for (const double value : x) variance += (value - mean) * (value - mean) / count;
  std::vector<double> y;
  for (size_t i = 0; i < x.size(); ++i) {
    y.push_back(gain[i] * (x[i] - mean) / std::sqrt(variance + 1e-5) + bias[i]);
  }
  return y;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// W x of numbers.
std::vector<double> product(const std::vector<std::vector<double>>& weight,
                            const std::vector<double>& x) {
  std::vector<double> y;
  for (const auto& row : weight) {
    y.push_back(0);
    for (size_t i = 0; i < x.size(); ++i) y.back() += row[i] * x[i];
  }
  return y;
}

std::vector<double> numbers(const torch::Tensor& tensor) {
  const auto values = tensor.detach().to(torch::kCPU, torch::kDouble).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

}  // namespace

TEST_CASE("Normalized cells compute their equations, number by number", "[nn][recurrent]") {
  for (const auto kind : {Cell::kGru, Cell::kLstm}) {
    INFO(choice_name(kind));
    RecurrentOptions options;
    options.cell = kind;
    options.input_size = 3;
    options.hidden_size = 2;
    options.cell_layer_norm = true;
    auto stack = made_stack(options);
    stack->to(torch::kDouble);
    torch::manual_seed(12);
    auto parameters = stack->named_parameters();
    CHECK(parameters.size() == (kind == Cell::kGru ? 6U : 8U));
    CHECK(parameters["gain_ih_l0"].equal(torch::ones_like(parameters["gain_ih_l0"])));
    {
      const torch::NoGradGuard no_gradient;
      for (auto& item : parameters) item.value().uniform_(-1, 1);
    }
    const auto of = [&](const char* name) { return numbers(parameters[name]); };
    const auto matrix = [&](const char* name) {
      std::vector<std::vector<double>> rows;
      for (const auto& row : parameters[name].unbind(0)) rows.push_back(numbers(row));
      return rows;
    };
    const auto input = on_device(torch::randn({1, 3, 3}, torch::kDouble));
    std::vector<double> h(2, 0.0), c(2, 0.0);
    auto state = stack->zero_state(1);
    const auto output = stack(input, state);
    for (int64_t t = 0; t < 3; ++t) {
      const auto a = normalized(product(matrix("weight_ih_l0"), numbers(input[0][t])),
                                of("gain_ih_l0"), of("bias_ih_l0"));
      const auto u =
          normalized(product(matrix("weight_hh_l0"), h), of("gain_hh_l0"), of("bias_hh_l0"));
      if (kind == Cell::kGru) {
        for (size_t i = 0; i < 2; ++i) {
          const double r = sigmoid(a[i] + u[i]);
          const double z = sigmoid(a[2 + i] + u[2 + i]);
          const double n = std::tanh(a[4 + i] + r * u[4 + i]);
          h[i] = (1 - z) * n + z * h[i];
        }
      } else {
        for (size_t i = 0; i < 2; ++i) {
          c[i] = sigmoid(a[2 + i] + u[2 + i]) * c[i] +
                 sigmoid(a[i] + u[i]) * std::tanh(a[4 + i] + u[4 + i]);
        }
        const auto seen = normalized(c, of("gain_c_l0"), of("bias_c_l0"));
        for (size_t i = 0; i < 2; ++i) h[i] = sigmoid(a[6 + i] + u[6 + i]) * std::tanh(seen[i]);
      }
      CHECK(all_close(output[0][t], torch::tensor(h, torch::kDouble), 1e-9, 1e-9));
    }
    CHECK(all_close(state.hidden.flatten(), torch::tensor(h, torch::kDouble), 1e-9, 1e-9));
    if (kind == Cell::kGru) continue;
    CHECK(all_close(state.cell.flatten(), torch::tensor(c, torch::kDouble), 1e-9, 1e-9));
  }
}

TEST_CASE("Padding is never computed: each sequence ends in its own last state",
          "[nn][recurrent]") {
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    for (const bool normalized : {false, true}) {
      torch::manual_seed(6);
      auto options = small_options(cell);
      options.cell_layer_norm = options.bidirectional = normalized;
      auto stack = made_stack(options);
      auto input = on_device(torch::randn({3, 4, 3}));
      auto state = stack->zero_state(3);
      const auto output = stack->forward_padded(input, torch::tensor({4, 2, 1}), state);
      auto alone = stack->zero_state(1);
      const auto expected = stack(input.narrow(0, 1, 1).narrow(1, 0, 2), alone);
      REQUIRE(all_close(output[1].narrow(0, 0, 2), expected[0], 1e-5, 1e-6));
      REQUIRE(output[1].narrow(0, 2, 2).abs().sum().item<double>() == 0.0);
      REQUIRE(all_close(state.hidden.narrow(1, 1, 1), alone.hidden, 1e-5, 1e-6));
      if (cell == Cell::kGru) continue;
      REQUIRE(all_close(state.cell.narrow(1, 1, 1), alone.cell, 1e-5, 1e-6));
    }
  }
}

namespace {

/// One unit a layer, whose gates are ½: h_t = ½ tanh(w^l x_t) + ½ h_{t−1}.
RecurrentStack halving_stack(const std::vector<double>& weights, double dropout = 0.0) {
  RecurrentOptions options;
  options.input_size = options.hidden_size = 1;
  options.num_layers = static_cast<int64_t>(weights.size());
  options.dropout = dropout;
  options.residual = true;
  auto stack = made_stack(options);
  const torch::NoGradGuard no_gradient;
  for (auto& parameter : stack->parameters()) parameter.zero_();
  for (size_t layer = 0; layer < weights.size(); ++layer) {
    stack->named_parameters()["weight_ih_l" + std::to_string(layer)][2][0] = weights[layer];
  }
  return stack;
}

}  // namespace

TEST_CASE("A residual connection adds a layer's input to its output, not to its state",
          "[nn][recurrent]") {
  const double ln2 = std::log(2.0), ln3 = std::log(3.0);  // tanh ln 3 = 0.8, tanh ln 2 = 0.6
  SECTION("Two steps of two layers") {
    auto stack = halving_stack({ln3, ln2 / 0.4});
    auto state = stack->zero_state(1);
    const auto output = stack(on_device(torch::ones({1, 2, 1})), state).flatten();
    // h_1 = 0.4, 0.3;  h_2 = ½·0.8 + ½·0.4, ½ tanh(ln 2 · 0.6/0.4) + ½·0.3, where tanh = 7/9
    CHECK(all_close(output, torch::tensor({0.7F, 1.13888889F})));
    CHECK(all_close(state.hidden.flatten(), torch::tensor({0.6F, 0.53888889F})));
  }
  SECTION("Three layers") {
    auto stack = halving_stack({ln3, ln2 / 0.4, ln2 / 0.7});
    auto state = stack->zero_state(1);
    const auto output =
        stack->forward_padded(on_device(torch::ones({1, 1, 1})), torch::tensor({1}), state);
    CHECK(output.item<float>() == Approx(1.0));  // 0.4 + 0.3 + 0.3
    CHECK(all_close(state.hidden.flatten(), torch::tensor({0.4F, 0.3F, 0.3F})));
  }
  SECTION("Dropout acts on what the cells read, not on what is added") {
    auto stack = halving_stack({ln3, ln2 / 0.4}, /*dropout=*/1.0);
    auto state = stack->zero_state(1);
    CHECK(stack(on_device(torch::ones({1, 1, 1})), state).item<float>() == Approx(0.4));
  }
}

TEST_CASE("All steps of a sequence have one mask of variational dropout", "[nn][recurrent]") {
  RecurrentOptions options;
  options.input_size = options.hidden_size = 30;
  options.num_layers = 2;
  options.dropout = 0.5;
  options.variational_dropout = true;
  torch::manual_seed(11);
  auto stack = made_stack(options);
  {
    // The upper layer's h_t = ½ tanh(x_t) + ½ h_{t−1} shows what it reads.
    const torch::NoGradGuard no_gradient;
    const auto parameters = stack->named_parameters();
    for (const char* name : {"weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"}) {
      parameters[name].zero_();
    }
    parameters["weight_ih_l1"].narrow(0, 60, 30).copy_(torch::eye(30));
  }
  const auto read = [](const torch::Tensor& now, const torch::Tensor& before) {
    return (2 * now - before).abs() > 1e-6;  // [B, H]
  };
  const auto input = on_device(torch::randn({2, 4, 30}));
  const auto zeros = on_device(torch::zeros({2, 30}));
  SECTION("Padded sequences") {
    auto state = stack->zero_state(2);
    const auto output = stack->forward_padded(input, torch::tensor({4, 3}), state);
    const auto first = read(output.select(1, 0), zeros);
    for (int64_t step = 1; step < 3; ++step) {
      CHECK(torch::equal(read(output.select(1, step), output.select(1, step - 1)), first));
    }
    CHECK_FALSE(torch::equal(first[0], first[1]));
    CHECK(first.to(torch::kFloat).mean().item<double>() == Approx(0.5).margin(0.2));
  }
  SECTION("Step by step") {
    auto state = stack->zero_state(2);
    const auto one = stack(input.narrow(1, 0, 2), state);
    const auto next = stack(input.narrow(1, 2, 1), state);
    const auto first = read(one.select(1, 0), zeros);
    CHECK(torch::equal(read(next.select(1, 0), one.select(1, 1)), first));
    auto other = stack->zero_state(2);
    CHECK_FALSE(torch::equal(read(stack(input, other).select(1, 0), zeros), first));
  }
}

TEST_CASE("State dropout masks the columns of W_hh, the same at all steps of a sequence",
          "[nn][recurrent]") {
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    for (const bool normalized : {false, true}) {
      torch::manual_seed(13);
      auto options = small_options(cell);
      options.bidirectional = true;
      options.cell_layer_norm = normalized;
      auto whole = made_stack(options);
      options.state_dropout = 0.5;
      auto stack = made_stack(options);
      const auto input = on_device(torch::randn({3, 4, 3}));
      const std::vector<int64_t> lengths = {4, 3, 1};
      auto state = stack->zero_state(3);
      state.hidden.normal_();
      const auto before = state;
      const auto output = stack->forward_padded(input, torch::tensor(lengths), state);
      CHECK(state.state_mask.min().item<float>() == 0.0F);
      CHECK(state.state_mask.max().item<float>() == 2.0F);
      for (int64_t sequence = 0; sequence < 3; ++sequence) {
        const torch::NoGradGuard no_gradient;
        int64_t place = 0;  // of a layer and direction
        for (auto& item : whole->named_parameters()) {
          item.value().copy_(stack->named_parameters()[item.key()]);
          if (item.key().find("weight_hh") != 0) continue;
          item.value().mul_(state.state_mask[place++][sequence]);
        }
        const auto own = [&](const torch::Tensor& states) {  // [2L, 1, H]
          return states.defined() ? states.narrow(1, sequence, 1).contiguous() : states;
        };
        const int64_t length = lengths[static_cast<size_t>(sequence)];
        RecurrentState alone{own(before.hidden), own(before.cell)};
        const auto expected = whole(input.narrow(0, sequence, 1).narrow(1, 0, length), alone);
        CHECK(all_close(output[sequence].narrow(0, 0, length), expected[0], 1e-5, 1e-6));
        CHECK(all_close(own(state.hidden), alone.hidden, 1e-5, 1e-6));
        if (cell == Cell::kGru) continue;
        CHECK(all_close(own(state.cell), alone.cell, 1e-5, 1e-6));
      }
    }
  }
}

TEST_CASE("A state keeps its mask of state dropout from step to step", "[nn][recurrent]") {
  torch::manual_seed(14);
  auto options = small_options(Cell::kGru);
  options.state_dropout = 0.5;
  auto stack = made_stack(options);
  const auto input = on_device(torch::randn({2, 4, 3}));
  auto state = stack->zero_state(2);
  const auto first = stack(input.narrow(1, 0, 3), state);
  const auto last = stack(input.narrow(1, 3, 1), state);
  auto again = stack->zero_state(2);
  again.state_mask = state.state_mask;
  CHECK(all_close(stack(input, again), torch::cat({first, last}, 1), 1e-5, 1e-6));
  auto other = stack->zero_state(2);
  CHECK_FALSE(all_close(stack(input, other), stack(input, again), 1e-2, 1e-2));
}

TEST_CASE("Residual layers in both directions add both", "[nn][recurrent]") {
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    torch::manual_seed(10);
    auto options = small_options(cell);
    options.bidirectional = options.residual = true;
    auto stack = made_stack(options);
    const auto layer_of = [&](int64_t layer, int64_t input_size) {
      auto one = options;
      one.num_layers = 1;
      one.input_size = input_size;
      auto single = made_stack(one);
      const torch::NoGradGuard no_gradient;
      for (auto& item : single->named_parameters()) {
        auto name = item.key();
        name.replace(name.find("_l0"), 3, "_l" + std::to_string(layer));
        item.value().copy_(stack->named_parameters()[name]);
      }
      return single;
    };
    const auto input = on_device(torch::randn({3, 4, 3}));
    const auto lengths = torch::tensor({4, 2, 1});
    auto lower = layer_of(0, 3), upper = layer_of(1, 10);
    auto lower_state = lower->zero_state(3), upper_state = upper->zero_state(3);
    const auto below = lower->forward_padded(input, lengths, lower_state);  // [B, T, 2H]
    const auto expected = below + upper->forward_padded(below, lengths, upper_state);
    auto state = stack->zero_state(3);
    CHECK(all_close(stack->forward_padded(input, lengths, state), expected, 1e-5, 1e-6));
    const auto together = torch::cat({lower_state.hidden, upper_state.hidden});
    CHECK(all_close(state.hidden, together, 1e-5, 1e-6));
    if (cell == Cell::kGru) continue;
    CHECK(all_close(state.cell, torch::cat({lower_state.cell, upper_state.cell}), 1e-5, 1e-6));
  }
}

TEST_CASE("A bidirectional stack's gradients agree with finite differences", "[nn][recurrent]") {
  for (const bool normalized : {false, true}) {
    torch::manual_seed(7);
    auto options = small_options(normalized ? Cell::kLstm : Cell::kGru);
    options.bidirectional = true;
    options.hidden_size = 2;
    options.cell_layer_norm = normalized;
    auto stack = made_stack(options);
    stack->to(torch::kDouble);
    const auto input = on_device(torch::randn({2, 3, 3}, torch::kDouble)).requires_grad_();
    const auto function = [&] {
      auto state = stack->zero_state(2);
      const auto output = stack->forward_padded(input, torch::tensor({3, 2}), state);
      return output.pow(2).sum() + state.hidden.sum();
    };
    auto leaves = stack->parameters();
    leaves.push_back(input);
    REQUIRE(gradient_error(leaves, function) < 1e-6);
  }
}

TEST_CASE("Only an LSTM has a cell state", "[nn][recurrent]") {
  REQUIRE_FALSE(RecurrentStack(small_options(Cell::kGru))->zero_state(2).cell.defined());
  REQUIRE(RecurrentStack(small_options(Cell::kLstm))->zero_state(2).cell.defined());
}

}  // namespace nmt
