#include "fused/recurrent_session.h"

#include <algorithm>

#include "kernels/elementwise.h"

namespace nmt {
namespace {

const RecurrentMemory& memory_of(const DecoderRow& row) {
  return static_cast<const RecurrentMemory&>(*row.source);
}

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

RecurrentSession::RecurrentSession(const RecurrentInferenceModel& model)
    : model_(model), encoder_(model), layers_(model.decoder().size()) {}

/// h̃_t of each row.
ConstMatrix RecurrentSession::advance(const std::vector<DecoderRow>& rows) {
  const auto count = static_cast<int64_t>(rows.size());
  find_parents(rows);
  gather(rows);
  for (size_t l = 0; l < layers_.size(); ++l) run_layer(l, count);
  const auto attentional_hidden = attentional_hidden_.take(count, model_.hidden_size());
  const auto decoder_states = asking();
  model_.concat_state().multiply(decoder_states, attentional_hidden);
  if (model_.attention().attends()) {
    sources_.clear();
    for (const auto& row : rows) {
      const auto& memory = memory_of(row);
      sources_.push_back({memory.keys.matrix(), memory.contexts.matrix()});
    }
    model_.attention().attend(decoder_states, sources_, attention_, attentional_hidden);
  }
  tanh_with_bias(attentional_hidden, model_.concat_bias());
  return attentional_hidden;
}

/// Hypotheses with a common parent share its products.
void RecurrentSession::find_parents(const std::vector<DecoderRow>& rows) {
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

void RecurrentSession::gather(const std::vector<DecoderRow>& rows) {
  last_tokens_.clear();
  for (const auto& row : rows) last_tokens_.push_back(row.token);
  model_.target_tokens().prepare(last_tokens_);
  const int64_t width = model_.hidden_size();
  const auto states = static_cast<int64_t>(distinct_.size());
  for (size_t l = 0; l < layers_.size(); ++l) {
    auto& layer = layers_[l];
    const auto first = static_cast<int64_t>(l);
    gather_rows(distinct_, layer.hidden.matrix(), layer.before.take(states, width),
                [&](const auto& row) { return memory_of(row).hidden.matrix().row(first); });
    if (model_.config().cell != Cell::kLstm) continue;
    gather_rows(distinct_, layer.cell.matrix(), layer.cell_before.take(states, width),
                [&](const auto& row) { return memory_of(row).cell.matrix().row(first); });
  }
  gather_rows(distinct_, attentional_hidden_.matrix(),
              attentional_hidden_before_.take(states, width),
              [](const auto&) -> const float* { return nullptr; });
}

void RecurrentSession::run_layer(size_t index, int64_t count) {
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
  if (model_.config().cell == Cell::kLstm) {
    step.cell_before = layer.cell_before.matrix();
    step.cell = layer.cell.take(count, model_.hidden_size());
  }
  layer.recurrent.step(model_.config().cell, weights, step);
}

/// h_t of the top layer, as attention and W_c see it.
ConstMatrix RecurrentSession::asking() {
  const auto& states = layers_.back().hidden.matrix();
  const auto& norm = model_.decoder_norm();
  if (!norm) return states;
  const auto normalized = normalized_.take(states.rows, states.columns);
  norm->apply(states, normalized);
  return normalized;
}

}  // namespace nmt
