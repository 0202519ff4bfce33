#include "nn/recurrent_cell.h"

#include <ATen/ATen.h>

namespace nmt {
namespace {

/// W x + b, or LN(W x; gain, b) with a gain.
torch::Tensor product(const torch::Tensor& x, const torch::Tensor& weight,
                      const torch::Tensor& gain, const torch::Tensor& bias) {
  if (!gain.defined()) return at::linear(x, weight, bias);
  return at::layer_norm(at::linear(x, weight), {weight.size(0)}, gain, bias);
}

}  // namespace

torch::Tensor cell_input(const RecurrentCell& cell, const torch::Tensor& x) {
  return product(x, cell.weight_ih, cell.gain_ih, cell.bias_ih);
}

void step_cell(const RecurrentCell& cell, const torch::Tensor& input, const torch::Tensor& mask,
               torch::Tensor& hidden, torch::Tensor& cell_state) {
  const auto read = mask.defined() ? mask * hidden : hidden;
  const auto from_hidden = product(read, cell.weight_hh, cell.gain_hh, cell.bias_hh);
  if (cell.kind == Cell::kGru) {
    const auto v = input.chunk(3, -1), u = from_hidden.chunk(3, -1);
    const auto r = torch::sigmoid(v[0] + u[0]);
    const auto z = torch::sigmoid(v[1] + u[1]);
    const auto n = torch::tanh(v[2] + r * u[2]);
    hidden = (1 - z) * n + z * hidden;
    return;
  }
  const auto sums = (input + from_hidden).chunk(4, -1);  // i, f, g, o
  cell_state =
      torch::sigmoid(sums[1]) * cell_state + torch::sigmoid(sums[0]) * torch::tanh(sums[2]);
  const auto seen = cell.gain_c.defined() ? at::layer_norm(cell_state, {cell_state.size(-1)},
                                                           cell.gain_c, cell.bias_c)
                                          : cell_state;
  hidden = torch::sigmoid(sums[3]) * torch::tanh(seen);
}

}  // namespace nmt
