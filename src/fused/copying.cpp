#include "fused/copying.h"

#include "kernels/elementwise.h"
#include "kernels/token_loss_row.h"

namespace nmt {

void FusedCopying::begin(ConstMatrix states, const PackedBatch& share, FusedAttention& attention) {
  states_ = states;
  share_ = &share;
  attention_ = &attention;
  const auto gates = gates_.take(states.rows, 1);
  linear(states, gate_weight_, gates, WriteMode::kOverwrite);
  add_bias(gates, gate_bias_.value.data);
  gate_gradient_.take(states.rows, 1);
}

float FusedCopying::loss_row(int64_t row, float* logits, const float* bias, int64_t vocabulary_size,
                             TokenWeights weights) {
  if (copied_.matrix().columns != vocabulary_size) copied_.take_zeros(1, vocabulary_size);
  weights_.resize(static_cast<size_t>(share_->source.num_steps()));
  const auto source = attention_->average_weights(row, weights_.data());
  tokens_.clear();
  for (int64_t i = 0; i < source.size; ++i) {
    tokens_.push_back(share_->source_ids[static_cast<size_t>(source.rows[i])]);
  }
  CopyGradient gradient{attention_->average_gradient(row)};
  const float loss = copying_loss_row(
      logits, bias, vocabulary_size, share_->target_output[static_cast<size_t>(row)], weights,
      {tokens_.data(), weights_.data(), source.size, *gates_.matrix().row(row)},
      copied_.matrix().data, gradient);
  *gate_gradient_.matrix().row(row) = gradient.gate;
  return loss;
}

void FusedCopying::backward(int64_t first, int64_t count, Matrix states_gradient,
                            WeightGradients& gradients) {
  const auto of_gates = gate_gradient_.matrix().row_range(first, count);
  linear_backward(of_gates, gate_weight_, states_gradient, WriteMode::kAccumulate);
  gradients.add_product(gate_weight_.gradient, of_gates, states_.row_range(first, count));
  gradients.add_column_sums(gate_bias_.gradient, of_gates);
}

}  // namespace nmt
