#include "nn/cuda/decoder_step.h"

#include <ATen/ATen.h>

#include "nn/cuda/device_operations.h"
#include "nn/cuda/device_rows.h"

namespace nmt {

DecoderStepOutput decoder_step(const DecoderStepWeights& weights, const DecoderStepInput& input) {
  const int64_t rows = input.hidden.size(1), hidden = input.hidden.size(2);
  const auto operations = make_step_operations(input.hidden);
  DecoderStepOutput output;
  output.attentional_hidden = torch::empty_like(input.attentional_hidden);
  output.hidden = torch::empty_like(input.hidden);
  const auto options = input.hidden.options();
  output.attention = torch::empty({rows, input.states.size(1)}, options.dtype(torch::kFloat));
  const auto gates = torch::empty({2, rows, 3 * hidden}, options);  // of W_ih and W_hh
  const auto vectors = torch::empty({2, rows, hidden}, options);    // the query; W_c [h_t ; c_t]
  const auto joined_states = torch::empty({rows, 2 * hidden}, options);  // [h_t ; c_t]
  const auto of_input = matrix_rows(gates, 0), of_hidden = matrix_rows(gates, 1);
  const auto query = matrix_rows(vectors, 0), projected = matrix_rows(vectors, 1);
  const auto joined = matrix_rows(joined_states);
  const auto product = [rows](const DeviceRows& a, const torch::Tensor& weight,
                              const DeviceRows& c) {
    return weight_product(rows, a, weight, 0, c, /*transpose=*/true);
  };

  const auto layers = static_cast<int64_t>(weights.layers.size());
  for (int64_t l = 0; l < layers; ++l) {
    const auto& layer = weights.layers[static_cast<size_t>(l)];
    if (l == 0) {
      auto part = product(matrix_rows(input.embedded), layer.weight_ih, of_input);
      part.depth = input.embedded.size(1);  // the first columns of W_ih
      operations->multiply(part);
      part.a = matrix_rows(input.attentional_hidden);
      part.b = rows_at(layer.weight_ih, part.depth, layer.weight_ih.size(1));
      part.depth = hidden;  // the others
      part.accumulate = true;
      operations->multiply(part);
    } else {
      operations->multiply(product(matrix_rows(output.hidden, l - 1), layer.weight_ih, of_input));
    }
    operations->multiply(product(matrix_rows(input.hidden, l), layer.weight_hh, of_hidden));
    GruStep<GruForward> gru;
    gru.rows = rows;
    gru.hidden_size = hidden;
    auto& direction = gru.direction[0];
    direction.input = of_input;
    direction.hidden = of_hidden;
    direction.input_bias = layer.bias_ih.data_ptr();
    direction.hidden_bias = layer.bias_hh.data_ptr();
    direction.previous = matrix_rows(input.hidden, l);
    direction.next = matrix_rows(output.hidden, l);
    if (l + 1 == layers) direction.output = joined;
    operations->gru_forward(gru);
  }

  AttendForward attend;
  attend.rows = rows;
  attend.queries_each = rows / input.states.size(0);
  attend.source_length = input.states.size(1);
  attend.hidden_size = hidden;
  attend.lengths = input.lengths.data_ptr<int64_t>();
  attend.scale = static_cast<float>(weights.attention_scale);
  attend.queries = joined;
  if (weights.attention_weight.defined()) {
    attend.queries = query;
    operations->multiply(product(joined, weights.attention_weight, query));
  }
  attend.keys = attend.values = input.states.data_ptr();
  attend.weights = matrix_rows(output.attention);
  attend.context = rows_at(joined_states, hidden, 2 * hidden);
  operations->attend_forward(attend);

  operations->multiply(product(joined, weights.concat_weight, projected));
  AttentionalForward attentional;
  attentional.rows = rows;
  attentional.hidden_size = hidden;
  attentional.projected = projected;
  attentional.bias = weights.concat_bias.data_ptr();
  attentional.attentional = matrix_rows(output.attentional_hidden);
  operations->attentional_forward(attentional);
  return output;
}

}  // namespace nmt
