#include "fused/inference_decoder.h"

#include <algorithm>

#include "kernels/attention_row.h"
#include "kernels/elementwise.h"
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
    : model_(model), layers_(model.decoder().size()) {}

void InferenceDecoder::step(const std::vector<DecoderRow>& rows, int64_t num_best) {
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
  generate(count, padded, num_best);
}

float InferenceDecoder::logit(int64_t row, int32_t token) const {
  constexpr int64_t kBlock = InferenceModel::kBlockTokens;
  return logit_block(static_cast<size_t>(token / kBlock)).row(row)[token % kBlock];
}

void InferenceDecoder::gather(const std::vector<DecoderRow>& rows, int64_t padded) {
  const int64_t width = model_.hidden_size();
  last_tokens_.assign(static_cast<size_t>(padded), kPadId);
  for (size_t i = 0; i < rows.size(); ++i) last_tokens_[i] = rows[i].token;
  model_.target_tokens().prepare(last_tokens_);
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
  const auto& weights = model_.decoder()[index];
  addends_.assign(static_cast<size_t>(padded), weights.input_bias);
  if (index == 0) {
    for (size_t i = 0; i < addends_.size(); ++i) {
      addends_[i] = model_.target_tokens().row(last_tokens_[i]);
    }
  }
  const auto& input =
      index == 0 ? attentional_before_.matrix() : layers_[index - 1].hidden.matrix();
  RecurrentStep step{layer.before.matrix(), {}, layer.hidden.take(padded, input.columns), {}};
  if (model_.options().cell == RecurrentCell::kLstm) {
    step.cell_before = layer.cell_before.matrix();
    step.cell = layer.cell.take(padded, input.columns);
  }
  layer.recurrent.step(model_.options().cell, weights, input, addends_.data(), step);
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

Matrix InferenceDecoder::logit_block(size_t block) const {
  const auto& all = logits_.matrix();
  const int64_t first = static_cast<int64_t>(block) * InferenceModel::kBlockTokens;
  return {all.row(first), all.columns, model_.generator()[block].outputs()};
}

void InferenceDecoder::generate(int64_t count, int64_t padded, int64_t num_best) {
  logits_.take(model_.vocabulary_size(), padded);
  top_.resize(static_cast<size_t>(count));
  for (auto& top : top_) top.clear();
  const float* bias = model_.generator_bias();
  int64_t first = 0;
  for (size_t block = 0; block < model_.generator().size(); ++block) {
    const auto logits = logit_block(block);
    model_.generator()[block].multiply(attentional_.matrix(), logits);
    for (int64_t row = 0; row < count; ++row) {
      add_to_top(logits.row(row), bias + first, logits.columns, static_cast<int32_t>(first),
                 num_best, top_[static_cast<size_t>(row)]);
    }
    first += logits.columns;
  }
}

}  // namespace nmt
