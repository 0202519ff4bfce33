#include <torch/types.h>

#include "explain/gru.h"
#include "explain/walks.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

torch::Tensor in_tensor(const WorkedMatrix& matrix) {
  std::vector<double> values;
  for (const auto& row : matrix) values.insert(values.end(), row.begin(), row.end());
  return torch::tensor(values, torch::kDouble).view({static_cast<int64_t>(matrix.size()), -1});
}

/// The three gates below each other, as PyTorch has them.
torch::Tensor stacked(const std::vector<torch::Tensor>& gates) { return torch::cat(gates, 0); }

}  // namespace

TEST_CASE("The worked GRU is that of LibTorch", "[explain][gru]") {
  auto weights = worked_gru();
  weights.reset.input_bias = {0.1, 0.2};
  weights.update.state_bias = {0.3, -0.4};
  weights.candidate.input_bias = {-0.5, 0.6};
  weights.candidate.state_bias = {0.7, 0.8};
  const WorkedMatrix inputs = {{1, 0, 2, 1}, {0, 2, 0, 1}, {1, 1, 0, 0}, {0, 0, 2, 2}};
  const auto steps = run_gru(weights, inputs);
  const std::vector<GruGate> gates = {weights.reset, weights.update, weights.candidate};
  std::vector<torch::Tensor> input_weights, state_weights, input_biases, state_biases;
  for (const auto& gate : gates) {
    input_weights.push_back(in_tensor(gate.input_weight).t());
    state_weights.push_back(in_tensor(gate.state_weight).t());
    input_biases.push_back(torch::tensor(gate.input_bias, torch::kDouble));
    state_biases.push_back(torch::tensor(gate.state_bias, torch::kDouble));
  }
  auto state = torch::zeros({1, 2}, torch::kDouble);
  for (size_t t = 0; t < inputs.size(); ++t) {
    CHECK(torch::allclose(in_tensor({steps.before[t]}), state, 1e-9, 1e-9));
    state = at::gru_cell(in_tensor({inputs[t]}), state, stacked(input_weights),
                         stacked(state_weights), stacked(input_biases), stacked(state_biases));
    CHECK(torch::allclose(in_tensor({steps.after[t]}), state, 1e-9, 1e-9));
  }
}

}  // namespace nmt
