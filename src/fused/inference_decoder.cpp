#include "fused/inference_decoder.h"

#include <algorithm>

#include "kernels/attention_row.h"
#include "kernels/elementwise.h"
#include "kernels/recurrent_cell.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

/// Rows `parents` of `from`, or of each source's own `first` where it begins; the rest is zeros.
template <typename First>
void gather_rows(const std::vector<DecoderRow>& rows, ConstMatrix from, Matrix to, First&& first) {
  int64_t i = 0;
  for (const auto& row : rows) {
    const float* state = row.parent == DecoderRow::kBeginning ? first(row) : from.row(row.parent);
    if (state != nullptr) {
      std::copy_n(state, to.columns, to.row(i));
    } else {
      std::fill_n(to.row(i), to.columns, 0.0F);
    }
    ++i;
  }
  for (; i < to.rows; ++i) std::fill_n(to.row(i), to.columns, 0.0F);
}

}  // namespace

InferenceDecoder::InferenceDecoder(const InferenceModel& model)
    : model_(model), layers_(model.layers().size()) {}

Matrix InferenceDecoder::step(const std::vector<DecoderRow>& rows) {
  const auto count = static_cast<int64_t>(rows.size());
  const int64_t padded = padded_rows(count);
  const int64_t width = model_.hidden_size();
  gather(rows, padded);
  for (size_t l = 0; l < layers_.size(); ++l) run_layer(l, padded);
  joined_.take_zeros(padded, 2 * width);
  attend_rows(rows);
  const auto attentional = attentional_.take(padded, width);
  model_.concat().multiply(joined_.matrix(), attentional);
  tanh_with_bias(attentional, model_.concat_bias());
  const auto logits = logits_.take(padded, model_.vocabulary_size());
  model_.generator().multiply(attentional, logits);
  return logits.row_range(0, count);
}

void InferenceDecoder::gather(const std::vector<DecoderRow>& rows, int64_t padded) {
  const int64_t width = model_.hidden_size();
  last_tokens_.assign(static_cast<size_t>(padded), kPadId);
  for (size_t i = 0; i < rows.size(); ++i) last_tokens_[i] = rows[i].token;
  model_.tokens().prepare(last_tokens_);
  for (size_t l = 0; l < layers_.size(); ++l) {
    auto& layer = layers_[l];
    const auto first = static_cast<int64_t>(l);
    gather_rows(rows, layer.hidden.matrix(), layer.before.take(padded, width),
                [&](const auto& row) { return row.source->hidden.matrix().row(first); });
    if (model_.options().cell != RecurrentCell::kLstm) continue;
    gather_rows(rows, layer.cell.matrix(), layer.cell_before.take(padded, width),
                [&](const auto& row) { return row.source->cell.matrix().row(first); });
  }
  gather_rows(rows, attentional_.matrix(), attentional_before_.take(padded, width),
              [](const auto&) -> const float* { return nullptr; });
}

void InferenceDecoder::run_layer(size_t index, int64_t padded) {
  auto& layer = layers_[index];
  const auto& weights = model_.layers()[index];
  const auto& before = layer.before.matrix();
  Matrix from_input;
  addends_.assign(static_cast<size_t>(padded), weights.input_bias);
  if (index == 0) {
    for (size_t i = 0; i < addends_.size(); ++i) {
      addends_[i] = model_.tokens().row(last_tokens_[i]);
    }
  }
  if (weights.input) {
    from_input = layer.from_input.take(padded, weights.input->outputs());
    weights.input->multiply(
        index == 0 ? attentional_before_.matrix() : layers_[index - 1].hidden.matrix(), from_input);
  }
  const auto from_hidden = layer.from_hidden.take(padded, weights.hidden.outputs());
  weights.hidden.multiply(before, from_hidden);
  const auto hidden = layer.hidden.take(padded, before.columns);
  if (model_.options().cell == RecurrentCell::kLstm) {
    lstm_step(from_input, addends_.data(), from_hidden, weights.hidden_bias,
              layer.cell_before.matrix(), layer.cell.take(padded, before.columns), hidden);
  } else {
    gru_step(from_input, addends_.data(), from_hidden, weights.hidden_bias, before, hidden);
  }
}

void InferenceDecoder::attend_rows(const std::vector<DecoderRow>& rows) {
  int64_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.source->length());
  for (auto i = static_cast<int32_t>(source_rows_.size()); i < longest; ++i) {
    source_rows_.push_back(i);
  }
  attention_.take(static_cast<int64_t>(rows.size()), longest);
  const int64_t width = model_.hidden_size();
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    const auto& source = *rows[i].source;
    const float* query = layers_.back().hidden.matrix().row(row);
    float* joined = joined_.matrix().row(row);
    std::copy_n(query, width, joined);
    attend(query, source.keys.matrix(), source.values.matrix(),
           {source_rows_.data(), source.length()}, attention_.matrix().row(row), joined + width);
  }
}

}  // namespace nmt
