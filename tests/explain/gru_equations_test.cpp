#include <torch/types.h>

#include "explain/gru.h"
#include "explain/walks.h"
#include "nn/recurrent_cell.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

torch::Tensor in_tensor(const WorkedMatrix& matrix) {
  std::vector<double> values;
  for (const auto& row : matrix) values.insert(values.end(), row.begin(), row.end());
  return torch::tensor(values, torch::kDouble).view({static_cast<int64_t>(matrix.size()), -1});
}

WorkedMatrix rows_of(const torch::Tensor& matrix) {
  WorkedMatrix rows;
  for (const auto& row : matrix.contiguous().unbind(0)) {
    rows.emplace_back(row.data_ptr<double>(), row.data_ptr<double>() + row.numel());
  }
  return rows;
}

/// The three gates below each other, as PyTorch has them.
torch::Tensor stacked(const std::vector<torch::Tensor>& gates) { return torch::cat(gates, 0); }

}  // namespace

TEST_CASE("The worked GRU is that of LibTorch", "[explain][gru]") {
  auto weights = worked_gru();
  weights.reset.input.bias = {0.1, 0.2};
  weights.update.state.bias = {0.3, -0.4};
  weights.candidate.input.bias = {-0.5, 0.6};
  weights.candidate.state.bias = {0.7, 0.8};
  const WorkedMatrix inputs = {{1, 0, 2, 1}, {0, 2, 0, 1}, {1, 1, 0, 0}, {0, 0, 2, 2}};
  const auto steps = run_gru(weights, inputs);
  const std::vector<GruGate> gates = {weights.reset, weights.update, weights.candidate};
  std::vector<torch::Tensor> input_weights, state_weights, input_biases, state_biases;
  for (const auto& gate : gates) {
    input_weights.push_back(in_tensor(gate.input.weight).t());
    state_weights.push_back(in_tensor(gate.state.weight).t());
    input_biases.push_back(torch::tensor(gate.input.bias, torch::kDouble));
    state_biases.push_back(torch::tensor(gate.state.bias, torch::kDouble));
  }
  auto state = torch::zeros({1, 2}, torch::kDouble);
  for (size_t t = 0; t < inputs.size(); ++t) {
    CHECK(torch::allclose(in_tensor({steps.before[t]}), state, 1e-9, 1e-9));
    state = at::gru_cell(in_tensor({inputs[t]}), state, stacked(input_weights),
                         stacked(state_weights), stacked(input_biases), stacked(state_biases));
    CHECK(torch::allclose(in_tensor({steps.after[t]}), state, 1e-9, 1e-9));
  }
}

TEST_CASE("The worked GRU with layer normalization is that of the network", "[explain][gru]") {
  torch::manual_seed(1);
  RecurrentCell cell;
  cell.weight_ih = torch::randn({12, 3}, torch::kDouble);
  cell.weight_hh = torch::randn({12, 4}, torch::kDouble);
  for (auto* row : {&cell.bias_ih, &cell.bias_hh, &cell.gain_ih, &cell.gain_hh}) {
    *row = torch::randn(12, torch::kDouble);
  }
  const auto gate = [&](int64_t place) {
    const auto matrix = [&](const torch::Tensor& weight) {
      return rows_of(weight.narrow(0, 4 * place, 4).t());
    };
    const auto row = [&](const torch::Tensor& values) {
      return rows_of(values.narrow(0, 4 * place, 4).unsqueeze(0))[0];
    };
    return GruGate{{matrix(cell.weight_ih), row(cell.bias_ih), row(cell.gain_ih)},
                   {matrix(cell.weight_hh), row(cell.bias_hh), row(cell.gain_hh)}};
  };
  const auto inputs = torch::randn({5, 3}, torch::kDouble);
  const auto steps = run_gru({gate(0), gate(1), gate(2)}, rows_of(inputs));
  auto state = torch::zeros({1, 4}, torch::kDouble);
  torch::Tensor none;
  for (int64_t t = 0; t < inputs.size(0); ++t) {
    step_cell(cell, cell_input(cell, inputs[t].unsqueeze(0)), {}, state, none);
    CHECK(torch::allclose(in_tensor({steps.after[static_cast<size_t>(t)]}), state, 1e-9, 1e-9));
  }
}

}  // namespace nmt
