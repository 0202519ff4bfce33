#include "fused/inference_decoder.h"

#include <algorithm>
#include <limits>

#include "kernels/attention_row.h"
#include "kernels/elementwise.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

/// Row `parent` of `from` for each row; at a sentence's start `first(row)`, or zeros if that is
/// null.
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
}

}  // namespace

InferenceDecoder::InferenceDecoder(const InferenceModel& model)
    : model_(model), layers_(model.decoder().size()) {}

void InferenceDecoder::step(const std::vector<DecoderRow>& rows, int64_t num_best) {
  advance(rows);
  generate(static_cast<int64_t>(rows.size()), num_best);
}

void InferenceDecoder::step_greedy(const std::vector<DecoderRow>& rows, const float* bias) {
  advance(rows);
  best_.assign(rows.size(), {kEosId, -std::numeric_limits<float>::infinity()});
  end_logits_.resize(rows.size());
  if (const auto* shortlist = model_.shortlist()) {
    shortlist->find(attentional_hidden_.matrix(), bias, shortlist_workspace_, best_);
    const auto weight = model_.generator_weight();
    for (size_t i = 0; i < rows.size(); ++i) {
      const float* attentional_hidden = attentional_hidden_.matrix().row(static_cast<int64_t>(i));
      end_logits_[i] = dot_product(weight.row(kEosId), attentional_hidden, weight.columns) +
                       model_.generator_bias()[kEosId];
    }
  } else {
    generate_best(bias);
  }
}

/// h̃_t of each row.
void InferenceDecoder::advance(const std::vector<DecoderRow>& rows) {
  const auto count = static_cast<int64_t>(rows.size());
  find_parents(rows);
  gather(rows);
  for (size_t l = 0; l < layers_.size(); ++l) run_layer(l, count);
  const auto attentional_hidden = attentional_hidden_.take(count, model_.hidden_size());
  model_.concat_state().multiply(layers_.back().hidden.matrix(), attentional_hidden);
  attend_rows(rows);
  tanh_with_bias(attentional_hidden, model_.concat_bias());
}

/// Hypotheses with a common parent share its products.
void InferenceDecoder::find_parents(const std::vector<DecoderRow>& rows) {
  distinct_.clear();
  parents_.resize(rows.size());
  distinct_of_.assign(static_cast<size_t>(attentional_hidden_.matrix().rows), -1);
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool begins = rows[i].parent == DecoderRow::kBeginning;
    int32_t first_of_its_kind = -1;
    auto& known = begins ? first_of_its_kind : distinct_of_[static_cast<size_t>(rows[i].parent)];
    if (known < 0) {
      known = static_cast<int32_t>(distinct_.size());
      distinct_.push_back(rows[i]);
    }
    parents_[i] = known;
  }
}

float InferenceDecoder::logit(int64_t row, int32_t token) const {
  constexpr int64_t kBlock = InferenceModel::kBlockTokens;
  return logit_block(static_cast<size_t>(token / kBlock)).row(row)[token % kBlock];
}

void InferenceDecoder::gather(const std::vector<DecoderRow>& rows) {
  last_tokens_.clear();
  for (const auto& row : rows) last_tokens_.push_back(row.token);
  model_.target_tokens().prepare(last_tokens_);
  const int64_t width = model_.hidden_size();
  const auto states = static_cast<int64_t>(distinct_.size());
  for (size_t l = 0; l < layers_.size(); ++l) {
    auto& layer = layers_[l];
    const auto first = static_cast<int64_t>(l);
    gather_rows(distinct_, layer.hidden.matrix(), layer.before.take(states, width),
                [&](const auto& row) { return row.source->hidden.matrix().row(first); });
    if (model_.options().cell != RecurrentCell::kLstm) continue;
    gather_rows(distinct_, layer.cell.matrix(), layer.cell_before.take(states, width),
                [&](const auto& row) { return row.source->cell.matrix().row(first); });
  }
  gather_rows(distinct_, attentional_hidden_.matrix(),
              attentional_hidden_before_.take(states, width),
              [](const auto&) -> const float* { return nullptr; });
}

void InferenceDecoder::run_layer(size_t index, int64_t count) {
  auto& layer = layers_[index];
  const auto& weights = model_.decoder()[index];
  addends_.assign(static_cast<size_t>(count), weights.input_bias);
  RecurrentStep step;
  if (index == 0) {
    for (size_t i = 0; i < addends_.size(); ++i) {
      addends_[i] = model_.target_tokens().row(last_tokens_[i]);
    }
    step.input = attentional_hidden_before_.matrix();
    step.input_rows = parents_.data();
  } else {
    step.input = layers_[index - 1].hidden.matrix();
  }
  step.addends = addends_.data();
  step.before = layer.before.matrix();
  step.before_rows = parents_.data();
  step.hidden = layer.hidden.take(count, model_.hidden_size());
  if (model_.options().cell == RecurrentCell::kLstm) {
    step.cell_before = layer.cell_before.matrix();
    step.cell = layer.cell.take(count, model_.hidden_size());
  }
  layer.recurrent.step(model_.options().cell, weights, step);
}

/// Adds each row's attention context, W_cc c_t, to W_ch h_t.
void InferenceDecoder::attend_rows(const std::vector<DecoderRow>& rows) {
  int64_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.source->length());
  for (auto i = static_cast<int32_t>(source_rows_.size()); i < longest; ++i) {
    source_rows_.push_back(i);
  }
  attention_.take(static_cast<int64_t>(rows.size()), longest);
  const auto context = context_.take(1, model_.hidden_size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    const auto& source = *rows[i].source;
    attend(layers_.back().hidden.matrix().row(row), source.keys.matrix(), source.contexts.matrix(),
           {source_rows_.data(), source.length()}, attention_.matrix().row(row), context.data);
    add(context, attentional_hidden_.matrix().row_range(row, 1));
  }
}

Matrix InferenceDecoder::logit_block(size_t block) const {
  const auto& all = logits_.matrix();
  const int64_t first = static_cast<int64_t>(block) * InferenceModel::kBlockTokens;
  return {all.row(first), all.columns, model_.generator()[block].outputs()};
}

void InferenceDecoder::generate(int64_t count, int64_t num_best) {
  logits_.take(model_.vocabulary_size(), count);
  top_.resize(static_cast<size_t>(count));
  for (auto& top : top_) top.clear();
  const float* bias = model_.generator_bias();
  int64_t first = 0;
  for (size_t block = 0; block < model_.generator().size(); ++block) {
    const auto logits = logit_block(block);
    model_.generator()[block].multiply(attentional_hidden_.matrix(), logits);
    for (int64_t row = 0; row < count; ++row) {
      add_to_top(logits.row(row), bias + first, logits.columns, static_cast<int32_t>(first),
                 num_best, top_[static_cast<size_t>(row)]);
    }
    first += logits.columns;
  }
}

void InferenceDecoder::generate_best(const float* bias) {
  int64_t first = 0;
  for (const auto& block : model_.generator()) {
    const auto logits = logits_.take(attentional_hidden_.matrix().rows, block.outputs());
    block.multiply(attentional_hidden_.matrix(), logits);
    for (size_t i = 0; i < best_.size(); ++i) {
      const float* row = logits.row(static_cast<int64_t>(i));
      if (first == 0) end_logits_[i] = row[kEosId] + model_.generator_bias()[kEosId];
      add_to_best(row, bias + first, logits.columns, static_cast<int32_t>(first), best_[i]);
    }
    first += logits.columns;
  }
}

}  // namespace nmt
