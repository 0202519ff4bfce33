#include "fused/inference_encoder.h"

#include <algorithm>

namespace nmt {
namespace {

std::vector<int64_t> packed_ids(const PackedSequences& packed,
                                const std::vector<const std::vector<int32_t>*>& sentences) {
  std::vector<int64_t> ids;
  for (int64_t step = 0; step < packed.num_steps(); ++step) {
    for (int64_t place = 0; place < packed.rows_at(step); ++place) {
      const auto sentence = static_cast<size_t>(packed.order[static_cast<size_t>(place)]);
      ids.push_back((*sentences[sentence])[static_cast<size_t>(step)]);
    }
  }
  return ids;
}

/// The rows of the sentence at `place` of packed ones, without the others'.
void unpack(const PackedSequences& packed, int64_t place, ConstMatrix rows, Buffer& sentence) {
  const int64_t length = packed.lengths[static_cast<size_t>(place)];
  const auto own = sentence.take(length, rows.columns);
  for (int64_t step = 0; step < length; ++step) {
    std::copy_n(rows.row(packed.first_row(step) + place), rows.columns, own.row(step));
  }
}

void copy_state(const std::vector<Matrix>& layers, int64_t place, Buffer& state) {
  if (layers.empty()) return;
  const int64_t width = layers.front().columns;
  const auto own = state.take(static_cast<int64_t>(layers.size()), width);
  for (size_t l = 0; l < layers.size(); ++l) {
    std::copy_n(layers[l].row(place), width, own.row(static_cast<int64_t>(l)));
  }
}

}  // namespace

InferenceEncoder::InferenceEncoder(const InferenceModel& model)
    : model_(model),
      embedding_(model.parameters().at("emb_src.weight"), DropoutSite::kSourceEmbedding),
      encoder_(model.options().cell, model.options().num_layers, model.parameters()) {}

StackState& InferenceEncoder::first_state(int64_t num_sentences) {
  const auto layers = static_cast<size_t>(model_.options().num_layers);
  const bool has_cells = model_.options().cell == RecurrentCell::kLstm;
  state_buffers_.resize(2 * layers);
  state_.hidden.resize(layers);
  state_.cell.resize(has_cells ? layers : 0);
  for (size_t l = 0; l < layers; ++l) {
    state_.hidden[l] = state_buffers_[l].take(num_sentences, model_.hidden_size());
    if (!has_cells) continue;
    state_.cell[l] = state_buffers_[layers + l].take(num_sentences, model_.hidden_size());
  }
  return state_;
}

std::vector<std::unique_ptr<SourceMemory>> InferenceEncoder::encode(
    const std::vector<const std::vector<int32_t>*>& sentences) {
  std::vector<int64_t> lengths;
  for (const auto* sentence : sentences) lengths.push_back(static_cast<int64_t>(sentence->size()));
  const auto packed = pack_sequences(lengths);
  const auto embedded = embedding_.forward(packed_ids(packed, sentences), {});
  const auto values = encoder_.forward(packed, embedded, {});
  const auto keys = keys_.take(values.rows, values.columns);
  linear_backward(values, model_.parameters().at("attn.linear.weight"), keys, Into::kReplace);

  std::vector<int64_t> places(sentences.size());
  for (size_t place = 0; place < places.size(); ++place) {
    places[static_cast<size_t>(packed.order[place])] = static_cast<int64_t>(place);
  }
  auto& state = first_state(static_cast<int64_t>(sentences.size()));
  encoder_.final_state(packed, places, state);
  std::vector<std::unique_ptr<SourceMemory>> memories;
  for (size_t i = 0; i < sentences.size(); ++i) {
    auto memory = std::make_unique<SourceMemory>();
    unpack(packed, places[i], values, memory->values);
    unpack(packed, places[i], keys, memory->keys);
    copy_state(state.hidden, static_cast<int64_t>(i), memory->hidden);
    copy_state(state.cell, static_cast<int64_t>(i), memory->cell);
    memories.push_back(std::move(memory));
  }
  return memories;
}

}  // namespace nmt
