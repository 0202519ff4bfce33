#include "fused/sequence_layer.h"

#include "fused/sequence_walk.h"
#include "kernels/elementwise.h"

namespace nmt {

SequenceLayer::SequenceLayer(Cell cell, const RecurrentParameters& parameters, size_t direction)
    : direction_(direction), recurrent_(cell, parameters) {}

void SequenceLayer::forward(const PackedSequences& packed, ConstMatrix input,
                            const StateDropout& dropout, Matrix output) {
  packed_ = &packed;
  input_ = input;
  output_ = output;
  recurrent_.begin(packed.num_rows(), dropout);
  linear(input, recurrent_.parameters().weight_ih, recurrent_.input_products(),
         WriteMode::kOverwrite);
  const SequenceWalk walk(packed, direction_);
  for (int64_t visit = 0; visit < packed.num_steps(); ++visit) {
    const int64_t step = walk.step(visit);
    const int64_t first = packed.first_row(step);
    recurrent_.forward(first, walk.previous(step, output), walk.previous(step, recurrent_.cells()),
                       output.row_range(first, packed.rows_at(step)));
  }
}

void SequenceLayer::backward(ConstMatrix output_gradient, Matrix carried, Matrix carried_cell,
                             WeightGradients& gradients) {
  const auto& packed = *packed_;
  const auto previous = previous_.take_zeros(packed.num_rows(), hidden_size());
  const SequenceWalk walk(packed, direction_);
  for (int64_t visit = packed.num_steps(); visit-- > 0;) {
    const int64_t step = walk.step(visit);
    const int64_t first = packed.first_row(step);
    const int64_t rows = packed.rows_at(step);
    const auto before = walk.previous(step, output_);
    copy_rows(before, previous.row_range(first, before.rows));
    const auto own = carried.row_range(0, rows);
    add(output_gradient.row_range(first, rows), own);
    recurrent_.backward(first, before, walk.previous(step, recurrent_.cells()), own,
                        carried_cell.row_range(0, rows));
  }
  recurrent_.add_weight_gradients(previous, gradients);
  recurrent_.add_input_weight_gradient(recurrent_.parameters().weight_ih, input_, gradients);
}

void SequenceLayer::input_gradient(WriteMode mode, Matrix gradient) const {
  recurrent_.input_gradient(recurrent_.parameters().weight_ih, 0, mode, gradient);
}

}  // namespace nmt
