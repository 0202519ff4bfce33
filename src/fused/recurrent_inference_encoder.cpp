#include "fused/recurrent_inference_encoder.h"

#include <algorithm>

#include "config/layers.h"
#include "fused/sequence_walk.h"
#include "kernels/elementwise.h"

namespace nmt {
namespace {

/// Copies the rows of the sentence at `place` out of the packed rows.
void copy_sentence(const PackedSequences& packed, int64_t place, ConstMatrix rows, Buffer& to) {
  const int64_t length = packed.lengths[static_cast<size_t>(place)];
  const auto own = to.take(length, rows.columns);
  for (int64_t step = 0; step < length; ++step) {
    std::copy_n(rows.row(packed.first_row(step) + place), rows.columns, own.row(step));
  }
}

}  // namespace

RecurrentInferenceEncoder::RecurrentInferenceEncoder(const RecurrentInferenceModel& model)
    : model_(model), layers_(static_cast<size_t>(model.config.num_layers)) {}

SourceMemories RecurrentInferenceEncoder::encode(const SourceSentences& sentences) {
  std::vector<int64_t> lengths(sentences.size());
  for (size_t i = 0; i < lengths.size(); ++i) {
    lengths[i] = static_cast<int64_t>(sentences[i]->size());
  }
  const auto packed = pack_sequences(lengths);
  look_up(packed, sentences);
  for (size_t layer = 0; layer < layers_.size(); ++layer) run_layer(packed, layer);
  const auto& attention = model_.attention;
  if (attention.attends()) attention.prepare(top_states(), keys_, values_);
  SourceMemories memories(sentences.size());
  for (int64_t place = 0; place < packed.num_sequences(); ++place) {
    const auto sentence = static_cast<size_t>(packed.order[static_cast<size_t>(place)]);
    memories[sentence] = take_out(packed, place);
    if (model_.copy_gate()) memories[sentence]->tokens = *sentences[sentence];
  }
  return memories;
}

void RecurrentInferenceEncoder::look_up(const PackedSequences& packed,
                                        const SourceSentences& sentences) {
  tokens_.clear();
  packed.for_each_row([&](size_t sentence, int64_t step, int64_t) {
    tokens_.push_back((*sentences[sentence])[static_cast<size_t>(step)]);
  });
  for (const size_t direction : {kForward, kBackward}) {
    model_.source_tokens[direction]->prepare(tokens_);
  }
}

void RecurrentInferenceEncoder::run_layer(const PackedSequences& packed, size_t layer) {
  const auto states = layers_[layer].hidden.take(packed.num_rows(), 2 * width());
  if (has_cells()) layers_[layer].cell.take(packed.num_rows(), 2 * width());
  for (const size_t direction : {kForward, kBackward}) run_direction(packed, layer, direction);
  if (model_.config.residual) add_layer(layer, states, residual_output_);
}

/// The output of the layer that ran last, [rows, 2D].
ConstMatrix RecurrentInferenceEncoder::output_of(size_t layer) const {
  return model_.config.residual ? residual_output_.matrix() : layers_[layer].hidden.matrix();
}

void RecurrentInferenceEncoder::run_direction(const PackedSequences& packed, size_t layer,
                                              size_t direction) {
  const auto& weights = model_.encoder[layer][direction];
  if (layer == 0) {
    addends_.resize(tokens_.size());
    const auto& table = *model_.source_tokens[direction];
    for (size_t row = 0; row < tokens_.size(); ++row) addends_[row] = table.row(tokens_[row]);
  }
  const int64_t column = static_cast<int64_t>(direction) * width();
  const auto half = [&](Buffer& states) { return states.matrix().column_range(column, width()); };
  const auto states_before = [&](Buffer& buffer, MatrixView<float> previous, int64_t rows) {
    const auto before = buffer.take_zeros(rows, width());
    copy_rows(previous, before);
    return before;
  };
  const SequenceWalk walk(packed, direction);
  for (int64_t visit = 0; visit < packed.num_steps(); ++visit) {
    const int64_t at = walk.step(visit);
    const int64_t first = packed.first_row(at);
    const int64_t rows = packed.rows_at(at);
    const auto hidden = half(layers_[layer].hidden);
    RecurrentStep step;
    if (layer == 0) step.addends = addends_.data() + first;
    step.before = states_before(before_, walk.previous(at, hidden), rows);
    step.hidden = hidden.row_range(first, rows);
    if (has_cells()) {
      const auto cells = half(layers_[layer].cell);
      step.cell_before = states_before(cell_before_, walk.previous(at, cells), rows);
      step.cell = cells.row_range(first, rows);
    }
    if (layer > 0) step.input = output_of(layer - 1).row_range(first, rows);
    recurrent_.step(model_.config.cell, weights, step);
  }
}

/// h_src [rows, H]
ConstMatrix RecurrentInferenceEncoder::top_states() {
  const auto states = output_of(layers_.size() - 1);
  const auto& norm = model_.source_norm;
  if (!summed() && !norm) return states;
  const auto own = states_.take(states.rows, model_.hidden_size());
  copy_rows(states.column_range(0, own.columns), own);
  if (summed()) add(states.column_range(width(), width()), own);
  if (norm) norm->apply(own, own);
  return own;
}

std::unique_ptr<SourceMemory> RecurrentInferenceEncoder::take_out(const PackedSequences& packed,
                                                                  int64_t place) {
  auto memory = std::make_unique<RecurrentMemory>(packed.lengths[static_cast<size_t>(place)]);
  if (model_.attention.attends()) {
    copy_sentence(packed, place, keys_.matrix(), memory->keys);
    copy_sentence(packed, place, values_.matrix(), memory->values);
  }
  const auto join = [&](Buffer Layer::*states, Buffer& to) {
    const auto num_layers = num_decoder_layers(model_.config);
    const auto joined = to.take(num_layers, model_.hidden_size());
    for (int64_t l = 0; l < num_layers; ++l) {
      const auto from = corresponding_layer(l, static_cast<int64_t>(layers_.size()), num_layers);
      const auto both = (layers_[static_cast<size_t>(from)].*states).matrix();
      for (const size_t direction : {kForward, kBackward}) {
        const auto own = both.column_range(static_cast<int64_t>(direction) * width(), width());
        SequenceWalk(packed, direction).join_final_state(place, own, summed(), joined.row(l));
      }
    }
  };
  join(&Layer::hidden, memory->hidden);
  if (has_cells()) join(&Layer::cell, memory->cell);
  set_first_state(packed, place, *memory);
  return memory;
}

/// Computes the first state (nn/first_state.h) of one sentence, whose final states are in `memory`.
/// Training (fused/first_state.cpp) sums h_i / S, while this divides Σ h_i by S: the last bits may
/// differ.
void RecurrentInferenceEncoder::set_first_state(const PackedSequences& packed, int64_t place,
                                                RecurrentMemory& memory) {
  const auto kind = model_.config.decoder_init;
  if (kind == DecoderInit::kFinal) return;
  const auto hidden = memory.hidden.matrix();
  const int64_t layers = hidden.rows;
  const auto inputs = bridged_.take_zeros(layers, hidden.columns);
  if (kind == DecoderInit::kBridge) {
    copy_rows(hidden, inputs);
  } else {
    memory.hidden.take_zeros(layers, hidden.columns);
    if (has_cells()) memory.cell.take_zeros(layers, hidden.columns);
  }
  if (kind == DecoderInit::kMean) {
    const auto top = output_of(layers_.size() - 1);
    const int64_t length = packed.lengths[static_cast<size_t>(place)];
    for (int64_t step = 0; step < length; ++step) {
      const auto row = top.row_range(packed.first_row(step) + place, 1);
      add(row.column_range(0, hidden.columns), inputs.row_range(0, 1));
      if (summed()) add(row.column_range(width(), width()), inputs.row_range(0, 1));
    }
    float* mean = inputs.row(0);
    for (int64_t i = 0; i < hidden.columns; ++i) mean[i] /= static_cast<float>(length);
    for (int64_t l = 1; l < layers; ++l) {
      copy_rows(inputs.row_range(0, 1), inputs.row_range(l, 1));
    }
  }
  for (int64_t l = 0; l < static_cast<int64_t>(model_.bridge.size()); ++l) {
    const auto& bridge = model_.bridge[static_cast<size_t>(l)];
    const auto state = memory.hidden.matrix().row_range(l, 1);
    bridge.weight.multiply(inputs.row_range(l, 1), state);
    tanh_with_bias(state, bridge.bias);
  }
}

}  // namespace nmt
