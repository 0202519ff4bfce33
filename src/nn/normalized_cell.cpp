#include "nn/normalized_cell.h"

#include <ATen/ATen.h>

namespace nmt {
namespace {

torch::Tensor normalize(const torch::Tensor& x, const torch::Tensor& gain,
                        const torch::Tensor& bias) {
  return at::layer_norm(x, {x.size(-1)}, gain, bias);
}

}  // namespace

torch::Tensor normalized_input(const NormalizedCell& cell, const torch::Tensor& x) {
  return normalize(at::linear(x, cell.weight_ih), cell.gain_ih, cell.bias_ih);
}

void step_normalized(const NormalizedCell& cell, const torch::Tensor& input, torch::Tensor& hidden,
                     torch::Tensor& cell_state) {
  const auto from_hidden =
      normalize(at::linear(hidden, cell.weight_hh), cell.gain_hh, cell.bias_hh);
  if (cell.kind == Cell::kGru) {
    const auto a = input.chunk(3, -1), u = from_hidden.chunk(3, -1);
    const auto r = torch::sigmoid(a[0] + u[0]);
    const auto z = torch::sigmoid(a[1] + u[1]);
    const auto n = torch::tanh(a[2] + r * u[2]);
    hidden = (1 - z) * n + z * hidden;
    return;
  }
  const auto sums = (input + from_hidden).chunk(4, -1);  // i, f, g, o
  cell_state =
      torch::sigmoid(sums[1]) * cell_state + torch::sigmoid(sums[0]) * torch::tanh(sums[2]);
  hidden = torch::sigmoid(sums[3]) * torch::tanh(normalize(cell_state, cell.gain_c, cell.bias_c));
}

}  // namespace nmt
