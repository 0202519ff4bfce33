#include "nn/cuda/gru_layer.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "nn/cuda/device_operations.h"
#include "nn/cuda/device_rows.h"

namespace nmt {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

const int64_t* lengths_of(const torch::Tensor& lengths) {
  return lengths.numel() > 0 ? lengths.data_ptr<int64_t>() : nullptr;
}

/// Step i of direction d is at this position: the second direction reads backward.
int64_t position_of(int64_t step, int64_t direction, int64_t steps) {
  return direction == 0 ? step : steps - 1 - step;
}

/// What the forward pass leaves.
struct GruTape {
  torch::Tensor states;  // [D, B, T+1, H]  before the first step, and after each
  torch::Tensor gates;   // [D, B, T, 4H]   undefined without gradients
  torch::Tensor output;  // [B, T, D·H]
};

GruTape forward_pass(const torch::Tensor& input, const torch::Tensor& lengths,
                     const torch::Tensor& first, const torch::Tensor& hidden,
                     const torch::Tensor& hidden_bias, bool has_gradient) {
  const int64_t directions = hidden.size(0), size = hidden.size(2);
  const int64_t batch = input.size(0), steps = input.size(1);
  const auto operations = make_step_operations(input);
  const auto states = torch::empty({directions, batch, steps + 1, size}, input.options());
  states.select(2, 0).copy_(first);
  const auto gates = has_gradient
                         ? torch::empty({directions, batch, steps, 4 * size}, input.options())
                         : torch::Tensor();
  const auto output = torch::empty({batch, steps, directions * size}, input.options());
  const auto products = torch::empty({directions, batch, 3 * size}, input.options());
  GruStep<GruForward> gru;
  gru.rows = batch;
  gru.hidden_size = size;
  gru.directions = directions;
  gru.lengths = lengths_of(lengths);
  for (int64_t i = 0; i < steps; ++i) {
    operations->multiply(  // W_hh h
        weight_products(directions, states, i, hidden, products, /*transpose=*/true));
    for (int64_t d = 0; d < directions; ++d) {
      auto& direction = gru.direction[d];
      direction.position = position_of(i, d, steps);
      direction.input = step_rows(input, direction.position, d * 3 * size);
      direction.hidden = matrix_rows(products, d);
      direction.hidden_bias = rows_at(hidden_bias, d * 3 * size, 0).data;
      direction.previous = part_rows(states, d, i);
      direction.next = part_rows(states, d, i + 1);
      direction.output = step_rows(output, direction.position, d * size);
      direction.gates = part_rows(gates, d, i);
    }
    operations->gru_forward(gru);
  }
  return {states, gates, output};
}

/// The state after the last step, [D, B, H].
torch::Tensor last_of(const GruTape& tape) {
  return tape.states.select(2, tape.states.size(2) - 1).clone();
}

class GruLayer : public torch::autograd::Function<GruLayer> {
 public:
  static variable_list forward(AutogradContext* context, const torch::Tensor& input,
                               const torch::Tensor& lengths, const torch::Tensor& first,
                               const torch::Tensor& hidden, const torch::Tensor& hidden_bias) {
    const auto tape = forward_pass(input, lengths, first, hidden, hidden_bias, true);
    context->set_materialize_grads(false);
    context->save_for_backward({lengths, hidden, tape.states, tape.gates});
    return {tape.output, last_of(tape)};
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto &lengths = saved[0], &hidden = saved[1], &states = saved[2], &gates = saved[3];
    const int64_t directions = hidden.size(0), size = hidden.size(2);
    const int64_t batch = gates.size(1), steps = gates.size(2);
    const auto operations = make_step_operations(gates);
    const auto of_output = gradients[0].defined()
                               ? gradients[0].contiguous()
                               : torch::zeros({batch, steps, directions * size}, gates.options());
    const auto float32 = gates.options().dtype(torch::kFloat);
    const auto direct = gradients[1].defined() ? gradients[1].to(torch::kFloat).contiguous().clone()
                                               : torch::zeros({directions, batch, size}, float32);
    const auto of_input = torch::empty({batch, steps, directions * 3 * size}, gates.options());
    const auto of_hidden = torch::empty({directions, batch, steps, 3 * size}, gates.options());
    const auto carried = torch::zeros({directions, batch, size}, gates.options());
    GruStep<GruBackward> gru;
    gru.rows = batch;
    gru.hidden_size = size;
    gru.directions = directions;
    gru.lengths = lengths_of(lengths);
    for (int64_t i = steps; i-- > 0;) {
      for (int64_t d = 0; d < directions; ++d) {
        auto& direction = gru.direction[d];
        direction.position = position_of(i, d, steps);
        direction.gates = part_rows(gates, d, i);
        direction.previous = part_rows(states, d, i);
        direction.output_gradient = step_rows(of_output, direction.position, d * size);
        direction.carried = matrix_rows(carried, d);
        direction.direct = direct.data_ptr<float>() + d * direct.stride(0);
        direction.input_gradient = step_rows(of_input, direction.position, d * 3 * size);
        direction.hidden_gradient = part_rows(of_hidden, d, i);
      }
      operations->gru_backward(gru);
      operations->multiply(  // W_hhᵀ times the gradient of W_hh h
          weight_products(directions, of_hidden, i, hidden, carried, /*transpose=*/false));
    }
    const auto rows = of_hidden.flatten(1, 2);                     // [D, B·T, 3H]
    const auto before = states.narrow(2, 0, steps).flatten(1, 2);  // [D, B·T, H]
    return {of_input,
            {},
            direct.to(gates.scalar_type()) + carried,  //
            torch::bmm(rows.transpose(1, 2), before),
            rows.sum(1)};
  }
};

}  // namespace

GruLayerOutput gru_layer(const torch::Tensor& input, const torch::Tensor& lengths,
                         const torch::Tensor& first, const torch::Tensor& hidden,
                         const torch::Tensor& hidden_bias) {
  const auto type = input.scalar_type();
  const auto steps = input.contiguous(), of_sentences = or_empty(lengths);
  const auto initial = first.to(type), weight = hidden.to(type).contiguous(),
             bias = hidden_bias.to(type).contiguous();
  if (!at::GradMode::is_enabled()) {
    const auto tape = forward_pass(steps, of_sentences, initial, weight, bias, false);
    return {tape.output, last_of(tape)};
  }
  const auto results = GruLayer::apply(steps, of_sentences, initial, weight, bias);
  return {results[0], results[1]};
}

}  // namespace nmt
