#include <algorithm>

#include "config/layers.h"
#include "fused/buffer.h"
#include "fused/key_value_cache.h"
#include "fused/sinusoidal_positions.h"
#include "fused/transformer_inference_model.h"
#include "kernels/attention_row.h"
#include "kernels/elementwise.h"

namespace nmt {
namespace {

/// Keys and values of the source in every decoder layer.
class TransformerMemory : public SourceMemory {
 public:
  TransformerMemory(int64_t length, int64_t layers, int64_t size)
      : SourceMemory(length), size_(size) {
    // With the gap, rows do not lie a multiple of 4 KiB apart, which would share few cache sets.
    rows_.take(2 * layers * length, size + 16);
  }

  Matrix keys(size_t layer) const { return part(2 * layer); }
  Matrix values(size_t layer) const { return part(2 * layer + 1); }

 private:
  Matrix part(size_t index) const {
    return rows_.matrix()
        .row_range(static_cast<int64_t>(index) * length(), length())
        .column_range(0, size_);
  }

  int64_t size_;
  Buffer rows_;  // [2 · layers · S, H and a gap]
};

const TransformerMemory& transformer_memory_of(const DecoderRow& row) {
  return static_cast<const TransformerMemory&>(*row.source);
}

/// Encoder and decoder steps of the Transformer (nn/transformer.h). Each row is computed by itself,
/// so a translation does not depend on the others.
class TransformerSession : public InferenceSession {
 public:
  explicit TransformerSession(const TransformerInferenceModel& model);

  std::vector<std::unique_ptr<SourceMemory>> encode(
      const std::vector<const std::vector<int32_t>*>& sentences) override;
  ConstMatrix advance(const std::vector<DecoderRow>& rows) override;

  /// The mean over the heads of the last layer.
  const float* attention(int64_t row) const override { return attention_.matrix().row(row); }

 private:
  int64_t width() const { return model_.config().hidden_size; }
  const int32_t* positions_up_to(int64_t count);
  void encode_self(const PackedTransformerLayer& layer, const std::vector<int64_t>& begin);
  void decode_self(size_t layer);
  void decode_source(size_t layer, const std::vector<DecoderRow>& rows);
  void feed_forward(const PackedTransformerLayer& layer);
  ConstMatrix input_of(const InferenceLayerNorm& norm);
  void add_output(ConstMatrix output, const InferenceLayerNorm& norm);
  float* weights_for(int64_t length);

  const TransformerInferenceModel& model_;
  AttentionScore score_;
  SinusoidalPositions positions_;
  KeyValueCache cache_;
  std::vector<int32_t> source_positions_;  // 0, 1, 2, …
  std::vector<float> weights_;             // [heads, longest]  of one query
  Buffer states_;                          // [N, H]
  Buffer normalized_;                      // [N, H]
  Buffer projected_;                       // [N, 3H]  queries, keys, values
  Buffer contexts_;                        // [N, H]
  Buffer widened_;                         // [N, F]
  Buffer output_;                          // [N, H]  of a sublayer
  Buffer attention_;                       // [N, longest source]
};

TransformerSession::TransformerSession(const TransformerInferenceModel& model)
    : model_(model),
      positions_(model.config().hidden_size),
      cache_(num_decoder_layers(model.config()), model.config().hidden_size) {
  score_.heads = model.config().heads;
  score_.scale = score_scale(width(), score_.heads);
}

std::vector<std::unique_ptr<SourceMemory>> TransformerSession::encode(
    const std::vector<const std::vector<int32_t>*>& sentences) {
  std::vector<int64_t> begin = {0};
  for (const auto* sentence : sentences) {
    begin.push_back(begin.back() + static_cast<int64_t>(sentence->size()));
  }
  const auto states = states_.take(begin.back(), width());
  for (size_t i = 0; i < sentences.size(); ++i) {
    for (int64_t position = 0; position < begin[i + 1] - begin[i]; ++position) {
      const int32_t token = (*sentences[i])[static_cast<size_t>(position)];
      positions_.embed(model_.source_embedding().row(token), position,
                       states.row(begin[i] + position));
    }
  }
  for (const auto& layer : model_.encoder()) {
    encode_self(layer, begin);
    feed_forward(layer);
  }
  if (model_.source_norm()) model_.source_norm()->apply(states, states);

  std::vector<std::unique_ptr<SourceMemory>> memories;
  const auto& layers = model_.decoder();
  for (size_t i = 0; i < sentences.size(); ++i) {
    memories.push_back(std::make_unique<TransformerMemory>(
        begin[i + 1] - begin[i], static_cast<int64_t>(layers.size()), width()));
  }
  for (size_t layer = 0; layer < layers.size(); ++layer) {
    const auto joined = projected_.take(states.rows, 2 * width());
    layers[layer].source->memory.multiply(states, joined);
    for (size_t i = 0; i < sentences.size(); ++i) {
      const auto& memory = static_cast<const TransformerMemory&>(*memories[i]);
      const auto own = joined.row_range(begin[i], memory.length());
      copy_rows(own.column_range(0, width()), memory.keys(layer));
      copy_rows(own.column_range(width(), width()), memory.values(layer));
    }
  }
  return memories;
}

/// Sentence i is rows [begin_i, begin_{i+1}).
void TransformerSession::encode_self(const PackedTransformerLayer& layer,
                                     const std::vector<int64_t>& begin) {
  const auto input = input_of(layer.self_norm);
  const auto joined = projected_.take(input.rows, 3 * width());
  layer.self_input.multiply(input, joined);
  const auto contexts = contexts_.take(input.rows, width());
  for (size_t i = 0; i + 1 < begin.size(); ++i) {
    const int64_t length = begin[i + 1] - begin[i];
    const auto own = joined.row_range(begin[i], length);
    const AttendedRows all{positions_up_to(length), length};
    for (int64_t row = 0; row < length; ++row) {
      attend(score_, own.row(row), own.column_range(width(), width()),
             own.column_range(2 * width(), width()), all, weights_for(length),
             contexts.row(begin[i] + row));
    }
  }
  const auto output = output_.take(input.rows, width());
  layer.self_output.multiply(contexts, output);
  add_output(output, layer.self_norm);
}

ConstMatrix TransformerSession::advance(const std::vector<DecoderRow>& rows) {
  cache_.advance(rows);
  const auto states = states_.take(static_cast<int64_t>(rows.size()), width());
  int64_t longest = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    positions_.embed(model_.target_embedding().row(rows[i].token), cache_.position(i),
                     states.row(static_cast<int64_t>(i)));
    longest = std::max(longest, rows[i].source->length());
  }
  attention_.take(states.rows, longest);
  for (size_t layer = 0; layer < model_.decoder().size(); ++layer) {
    decode_self(layer);
    decode_source(layer, rows);
    feed_forward(model_.decoder()[layer]);
  }
  if (model_.target_norm()) model_.target_norm()->apply(states, states);
  return states;
}

void TransformerSession::decode_self(size_t layer) {
  const auto& weights = model_.decoder()[layer];
  const auto input = input_of(weights.self_norm);
  const auto joined = projected_.take(input.rows, 3 * width());
  weights.self_input.multiply(input, joined);
  const auto contexts = contexts_.take(input.rows, width());
  for (int64_t row = 0; row < input.rows; ++row) {
    const auto i = static_cast<size_t>(row);
    const float* query = joined.row(row);
    std::copy_n(query + width(), width(), cache_.key(layer, i));
    std::copy_n(query + 2 * width(), width(), cache_.value(layer, i));
    const auto seen = cache_.slots(i);
    attend(score_, query, cache_.keys(layer), cache_.values(layer), seen, weights_for(seen.size),
           contexts.row(row));
  }
  const auto output = output_.take(input.rows, width());
  weights.self_output.multiply(contexts, output);
  add_output(output, weights.self_norm);
}

void TransformerSession::decode_source(size_t layer, const std::vector<DecoderRow>& rows) {
  const auto& weights = *model_.decoder()[layer].source;
  const auto input = input_of(weights.norm);
  const auto queries = projected_.take(input.rows, width());
  weights.query.multiply(input, queries);
  const auto contexts = contexts_.take(input.rows, width());
  const bool is_last = layer + 1 == model_.decoder().size();
  for (int64_t row = 0; row < input.rows; ++row) {
    const auto& memory = transformer_memory_of(rows[static_cast<size_t>(row)]);
    const AttendedRows all{positions_up_to(memory.length()), memory.length()};
    float* of_heads = weights_for(memory.length());
    attend(score_, queries.row(row), memory.keys(layer), memory.values(layer), all, of_heads,
           contexts.row(row));
    if (is_last) {
      average_heads(score_.heads, memory.length(), of_heads, attention_.matrix().row(row));
    }
  }
  const auto output = output_.take(input.rows, width());
  weights.output.multiply(contexts, output);
  add_output(output, weights.norm);
}

void TransformerSession::feed_forward(const PackedTransformerLayer& layer) {
  const auto input = input_of(layer.feed_forward_norm);
  const auto widened = widened_.take(input.rows, layer.widen.outputs());
  layer.widen.multiply(input, widened);
  relu_with_bias(widened, layer.widen_bias);
  const auto output = output_.take(input.rows, width());
  layer.narrow.multiply(widened, output);
  add_bias(output, layer.narrow_bias);
  add_output(output, layer.feed_forward_norm);
}

/// A sublayer's input: the states, normalized if pre-norm.
ConstMatrix TransformerSession::input_of(const InferenceLayerNorm& norm) {
  const auto& states = states_.matrix();
  if (!model_.config().pre_norm) return states;
  const auto normalized = normalized_.take(states.rows, states.columns);
  norm.apply(states, normalized);
  return normalized;
}

/// Adds a sublayer's output to the states; with post-norm, normalizes the sum.
void TransformerSession::add_output(ConstMatrix output, const InferenceLayerNorm& norm) {
  const auto& states = states_.matrix();
  add(output, states);
  if (!model_.config().pre_norm) norm.apply(states, states);
}

const int32_t* TransformerSession::positions_up_to(int64_t count) {
  for (auto i = static_cast<int32_t>(source_positions_.size()); i < count; ++i) {
    source_positions_.push_back(i);
  }
  return source_positions_.data();
}

float* TransformerSession::weights_for(int64_t length) {
  const auto wanted = static_cast<size_t>(score_.heads * length);
  if (weights_.size() < wanted) weights_.resize(wanted);
  return weights_.data();
}

}  // namespace

std::unique_ptr<InferenceSession> TransformerInferenceModel::make_session() const {
  return std::make_unique<TransformerSession>(*this);
}

}  // namespace nmt
