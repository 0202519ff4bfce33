#include "fused/encoder.h"

#include "config/layers.h"
#include "fused/sequence_walk.h"
#include "kernels/elementwise.h"

namespace nmt {
namespace {

/// A direction's columns of states; all columns if the directions are summed.
Matrix own_columns(Matrix states, size_t direction, int64_t width) {
  const bool summed = states.columns == width;
  return states.column_range(summed ? 0 : static_cast<int64_t>(direction) * width, width);
}

/// The encoder layer that corresponds to layer `l` of the decoder's state.
size_t corresponding(size_t l, size_t encoder_layers, const StackState& state) {
  return static_cast<size_t>(corresponding_layer(static_cast<int64_t>(l),
                                                 static_cast<int64_t>(encoder_layers),
                                                 static_cast<int64_t>(state.hidden.size())));
}

}  // namespace

FusedEncoder::FusedEncoder(const ModelConfig& model, const ParameterTable& parameters)
    : summed_(model.encoder_output == EncoderOutput::kSummed), residual_(model.residual) {
  const auto layer_of = [&](int64_t layer, size_t direction) {
    const auto found =
        find_recurrent_parameters(parameters, "encoder.rnn.", layer, direction == kBackward);
    return SequenceLayer(model.cell, found, direction);
  };
  for (int64_t layer = 0; layer < model.num_layers; ++layer) {
    layers_.push_back({{layer_of(layer, kForward), layer_of(layer, kBackward)}, {}, {}, {}, {}});
  }
}

ConstMatrix FusedEncoder::forward(const PackedSequences& packed, ConstMatrix embedded,
                                  const Dropout& dropout) {
  packed_ = &packed;
  dropout_ = dropout;
  ConstMatrix input = embedded;
  Matrix states;
  for (size_t l = 0; l < layers_.size(); ++l) {
    auto& layer = layers_[l];
    layer.input = input;
    const int64_t width = layer.directions[0].hidden_size();
    const auto output = layer.output.take(packed.num_rows(), 2 * width);
    for (const size_t direction : {kForward, kBackward}) {
      const auto place = static_cast<int64_t>(2 * l + direction);
      layer.directions[direction].forward(
          packed, input, {dropout, DropoutSite::kEncoderState, place},
          output.column_range(static_cast<int64_t>(direction) * width, width));
    }
    states = residual_ ? add_layer(l, output, residual_output_) : output;
    if (l + 1 == layers_.size()) break;
    // Dropout acts on a copy: the backward pass and the decoder's first state need the states
    // themselves.
    const auto dropped = layer.dropped.take(states.rows, states.columns);
    copy_rows(states, dropped);
    dropout.apply(DropoutSite::kEncoder, static_cast<int64_t>(l), 0, dropped);
    input = dropped;
  }
  if (!summed_) return states;
  const int64_t width = states.columns / 2;
  const auto sum = sum_.take(states.rows, width);
  copy_rows(states.column_range(0, width), sum);
  add(states.column_range(width, width), sum);
  return sum;
}

void FusedEncoder::final_state(const std::vector<int64_t>& places, StackState& state) const {
  for (size_t l = 0; l < state.hidden.size(); ++l) {
    const auto& layer = layers_[corresponding(l, layers_.size(), state)];
    for (const size_t direction : {kForward, kBackward}) {
      const auto& recurrent = layer.directions[direction];
      const int64_t width = recurrent.hidden_size();
      const int64_t column = static_cast<int64_t>(direction) * width;
      const auto output = layer.output.matrix().column_range(column, width);
      const SequenceWalk walk(*packed_, direction);
      for (int64_t i = 0; i < state.hidden[l].rows; ++i) {
        const int64_t place = places[static_cast<size_t>(i)];
        walk.join_final_state(place, output, summed_, state.hidden[l].row(i));
        if (state.cell.empty()) continue;
        walk.join_final_state(place, recurrent.cells(), summed_, state.cell[l].row(i));
      }
    }
  }
}

Matrix FusedEncoder::backward(const std::vector<int64_t>& places, const StackState& state_gradient,
                              Matrix output_gradient, WeightGradients& gradients) {
  Matrix gradient = output_gradient;
  for (size_t l = layers_.size(); l-- > 0;) {
    auto& layer = layers_[l];
    const auto of_input = layer.input_gradient.take(layer.input.rows, layer.input.columns);
    for (const size_t direction : {kForward, kBackward}) {
      set_carried_gradient(l, direction, places, state_gradient);
      auto& recurrent = layer.directions[direction];
      recurrent.backward(own_columns(gradient, direction, recurrent.hidden_size()),
                         carried_.matrix(), carried_cell_.matrix(), gradients);
      recurrent.input_gradient(
          direction == kForward ? WriteMode::kOverwrite : WriteMode::kAccumulate, of_input);
    }
    if (l > 0) {
      dropout_.apply(DropoutSite::kEncoder, static_cast<int64_t>(l) - 1, 0, of_input);
    }
    if (l > 0 && residual_) {
      for (const size_t direction : {kForward, kBackward}) {
        const int64_t width = layer.directions[direction].hidden_size();
        add(own_columns(gradient, direction, width), own_columns(of_input, direction, width));
      }
    }
    gradient = of_input;
  }
  return gradient;
}

/// The backward pass does not touch a sequence's row of the carried gradient before its last step,
/// so the gradient of its final state can be written there at the start.
void FusedEncoder::set_carried_gradient(size_t layer, size_t direction,
                                        const std::vector<int64_t>& places,
                                        const StackState& state_gradient) {
  const int64_t width = layers_[layer].directions[direction].hidden_size();
  const auto set = [&](const std::vector<Matrix>& gradients, Buffer& buffer) {
    const int64_t column = summed_ ? 0 : static_cast<int64_t>(direction) * width;
    const auto carried = buffer.take_zeros(packed_->num_sequences(), width);
    for (size_t l = 0; l < gradients.size(); ++l) {
      if (corresponding(l, layers_.size(), state_gradient) != layer) continue;
      for (int64_t i = 0; i < gradients[l].rows; ++i) {  // several targets may have one source
        add(gradients[l].row_range(i, 1).column_range(column, width),
            carried.row_range(places[static_cast<size_t>(i)], 1));
      }
    }
  };
  set(state_gradient.hidden, carried_);
  if (!state_gradient.cell.empty()) set(state_gradient.cell, carried_cell_);
}

}  // namespace nmt
