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
    rows_.take(2 * layers * length, size + kRowGap);
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

  SourceMemories encode(const SourceSentences& sentences) override;
  ConstMatrix advance(const std::vector<DecoderRow>& rows) override;

  /// The mean over the heads of the last layer.
  const float* attention(int64_t row) const override { return attention_.matrix().row(row); }

 private:
  int64_t width() const { return model_.config.hidden_size; }
  void encode_self(const PackedTransformerLayer& layer, const std::vector<int64_t>& begin);
  void decode_self(size_t layer);
  void decode_source(size_t layer, const std::vector<DecoderRow>& rows);
  void feed_forward(const PackedTransformerLayer& layer);
  Matrix project(const PackedWeight& weight, const InferenceLayerNorm& norm);
  void add_output(const PackedWeight& weight, ConstMatrix x, const InferenceLayerNorm& norm,
                  const float* bias = nullptr);
  float* weights_for(int64_t length) { return weights_.take(score_.heads, length).data; }

  const TransformerInferenceModel& model_;
  AttentionScore score_;
  SinusoidalPositions positions_;
  KeyValueCache cache_;
  Buffer weights_;     // [heads, visible rows]  of one query
  Buffer states_;      // [N, H]
  Buffer normalized_;  // [N, H]
  Buffer projected_;   // [N, ·]  of a sublayer's input
  Buffer contexts_;    // [N, H]
  Buffer output_;      // [N, H]  of a sublayer
  Buffer attention_;   // [N, longest source]
};

TransformerSession::TransformerSession(const TransformerInferenceModel& model)
    : model_(model),
      positions_(model.config.hidden_size),
      cache_(num_decoder_layers(model.config), model.config.hidden_size) {
  score_.heads = model.config.heads;
  score_.scale = score_scale(width(), score_.heads);
}

SourceMemories TransformerSession::encode(const SourceSentences& sentences) {
  std::vector<int64_t> begin = {0};
  for (const auto* sentence : sentences) {
    begin.push_back(begin.back() + static_cast<int64_t>(sentence->size()));
  }
  const auto states = states_.take(begin.back(), width());
  for (size_t i = 0; i < sentences.size(); ++i) {
    for (int64_t position = 0; position < begin[i + 1] - begin[i]; ++position) {
      const int32_t token = (*sentences[i])[static_cast<size_t>(position)];
      positions_.embed(model_.source_embedding.row(token), position,
                       states.row(begin[i] + position));
    }
  }
  for (const auto& layer : model_.encoder) {
    encode_self(layer, begin);
    feed_forward(layer);
  }
  if (model_.source_norm) model_.source_norm->apply(states, states);

  SourceMemories memories;
  const auto& layers = model_.decoder;
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
  const auto joined = project(layer.self_input, layer.self_norm);  // queries, keys, values
  const auto contexts = contexts_.take(joined.rows, width());
  for (size_t i = 0; i + 1 < begin.size(); ++i) {
    const int64_t length = begin[i + 1] - begin[i];
    const auto own = joined.row_range(begin[i], length);
    const auto all = first_rows(length);
    for (int64_t row = 0; row < length; ++row) {
      attend(score_, own.row(row), own.column_range(width(), width()),
             own.column_range(2 * width(), width()), all, weights_for(length),
             contexts.row(begin[i] + row));
    }
  }
  add_output(layer.self_output, contexts, layer.self_norm);
}

ConstMatrix TransformerSession::advance(const std::vector<DecoderRow>& rows) {
  cache_.advance(rows);
  const auto states = states_.take(static_cast<int64_t>(rows.size()), width());
  int64_t longest = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    positions_.embed(model_.target_embedding.row(rows[i].token), cache_.position(i),
                     states.row(static_cast<int64_t>(i)));
    longest = std::max(longest, rows[i].source->length());
  }
  attention_.take(states.rows, longest);
  for (size_t layer = 0; layer < model_.decoder.size(); ++layer) {
    decode_self(layer);
    decode_source(layer, rows);
    feed_forward(model_.decoder[layer]);
  }
  if (model_.target_norm) model_.target_norm->apply(states, states);
  return states;
}

void TransformerSession::decode_self(size_t layer) {
  const auto& weights = model_.decoder[layer];
  const auto joined = project(weights.self_input, weights.self_norm);
  const auto contexts = contexts_.take(joined.rows, width());
  for (int64_t row = 0; row < joined.rows; ++row) {
    const auto i = static_cast<size_t>(row);
    const float* query = joined.row(row);
    std::copy_n(query + width(), width(), cache_.key(layer, i));
    std::copy_n(query + 2 * width(), width(), cache_.value(layer, i));
    const auto seen = cache_.slots(i);
    attend(score_, query, cache_.keys(layer), cache_.values(layer), seen, weights_for(seen.size),
           contexts.row(row));
  }
  add_output(weights.self_output, contexts, weights.self_norm);
}

void TransformerSession::decode_source(size_t layer, const std::vector<DecoderRow>& rows) {
  const auto& weights = *model_.decoder[layer].source;
  const auto queries = project(weights.query, weights.norm);
  const auto contexts = contexts_.take(queries.rows, width());
  const bool is_last = layer + 1 == model_.decoder.size();
  for (int64_t row = 0; row < queries.rows; ++row) {
    const auto& memory = transformer_memory_of(rows[static_cast<size_t>(row)]);
    float* of_heads = weights_for(memory.length());
    attend(score_, queries.row(row), memory.keys(layer), memory.values(layer),
           first_rows(memory.length()), of_heads, contexts.row(row));
    if (is_last) {
      average_heads(score_.heads, memory.length(), of_heads, attention_.matrix().row(row));
    }
  }
  add_output(weights.output, contexts, weights.norm);
}

void TransformerSession::feed_forward(const PackedTransformerLayer& layer) {
  const auto widened = project(layer.widen, layer.feed_forward_norm);
  relu_with_bias(widened, layer.widen_bias);
  add_output(layer.narrow, widened, layer.feed_forward_norm, layer.narrow_bias);
}

/// `weight` times a sublayer's input: the states, normalized if pre-norm.
Matrix TransformerSession::project(const PackedWeight& weight, const InferenceLayerNorm& norm) {
  ConstMatrix input = states_.matrix();
  if (model_.config.pre_norm) {
    const auto normalized = normalized_.take(input.rows, input.columns);
    norm.apply(input, normalized);
    input = normalized;
  }
  const auto projected = projected_.take(input.rows, weight.outputs());
  weight.multiply(input, projected);
  return projected;
}

/// Adds a sublayer's output, `weight` times x plus the bias, if any, to the states; with post-norm,
/// normalizes the sum.
void TransformerSession::add_output(const PackedWeight& weight, ConstMatrix x,
                                    const InferenceLayerNorm& norm, const float* bias) {
  const auto& states = states_.matrix();
  const auto output = output_.take(states.rows, width());
  weight.multiply(x, output);
  if (bias != nullptr) add_bias(output, bias);
  add(output, states);
  if (!model_.config.pre_norm) norm.apply(states, states);
}

}  // namespace

std::unique_ptr<InferenceSession> TransformerInferenceModel::make_session() const {
  return std::make_unique<TransformerSession>(*this);
}

}  // namespace nmt
