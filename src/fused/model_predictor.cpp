#include "fused/model_predictor.h"

#include "fused/copied_logits.h"
#include "text/special_tokens.h"

namespace nmt {

ModelPredictor::ModelPredictor(const InferenceModel& model)
    : model_(model), output_(model.output_layer()), session_(model.make_session()) {}

void ModelPredictor::step(const std::vector<DecoderRow>& rows, int64_t num_best) {
  const auto attentional_hidden = session_->advance(rows);  // [N, H]
  const int64_t count = attentional_hidden.rows;
  top_.resize(rows.size());
  has_candidates_ = rows.front().candidates != nullptr;
  if (has_candidates_) {
    candidate_logits_.compute(output_, attentional_hidden, rows);
    for (int64_t row = 0; row < count; ++row) {
      candidate_logits_.find_top(row, num_best, top_[static_cast<size_t>(row)]);
    }
    return;
  }
  logits_.compute(output_, attentional_hidden, num_best, top_);
  if (!model_.copy_gate()) return;
  add_copied(*model_.copy_gate(), *session_, rows, attentional_hidden, num_best, logits_, top_);
}

void ModelPredictor::copy_logits(int64_t row, float* logits) const {
  if (has_candidates_) return candidate_logits_.copy(row, vocabulary_size(), logits);
  logits_.copy(row, logits);
}

void ModelPredictor::exclude(const std::vector<int64_t>& tokens) {
  TokenPredictor::exclude(tokens);
  greedy_bias_.assign(output_.bias(), output_.bias() + output_.vocabulary_size());
  for (const int64_t token : excluded_) {
    const auto place = static_cast<size_t>(token);
    if (place < greedy_bias_.size()) {
      greedy_bias_[place] = kMinusInfinity;
    }
  }
}

void ModelPredictor::step_greedy(const std::vector<DecoderRow>& rows) {
  // Copying needs the denominators of the softmax, so all logits are computed.
  if (model_.copy_gate()) return TokenPredictor::step_greedy(rows);
  const auto attentional_hidden = session_->advance(rows);
  best_.assign(rows.size(), {kEosId, kMinusInfinity});
  end_logits_.resize(rows.size());
  if (rows.front().candidates != nullptr) {
    candidate_logits_.compute(output_, attentional_hidden, rows);
    for (int64_t row = 0; row < attentional_hidden.rows; ++row) find_best_candidate(row);
  } else if (const auto* argmax = output_.argmax()) {
    argmax->find(attentional_hidden, greedy_bias_.data(), argmax_workspace_, best_);
    const auto weight = output_.weight();
    for (size_t i = 0; i < rows.size(); ++i) {
      end_logits_[i] =
          dot_product(weight.row(kEosId), attentional_hidden.row(static_cast<int64_t>(i)),
                      weight.columns) +
          output_.bias()[kEosId];
    }
  } else {
    find_best(attentional_hidden);
  }
}

void ModelPredictor::find_best(ConstMatrix attentional_hidden) {
  int64_t first = 0;
  for (const auto& block : output_.blocks()) {
    const auto logits = block_.take(attentional_hidden.rows, block.outputs());
    block.multiply(attentional_hidden, logits);
    for (size_t i = 0; i < best_.size(); ++i) {
      const float* row = logits.row(static_cast<int64_t>(i));
      if (first == 0) end_logits_[i] = row[kEosId] + output_.bias()[kEosId];
      add_to_best(row, greedy_bias_.data() + first, logits.columns, static_cast<int32_t>(first),
                  best_[i]);
    }
    first += logits.columns;
  }
}

void ModelPredictor::find_best_candidate(int64_t row) {
  const auto& tokens = candidate_logits_.tokens(row);
  const float* logits = candidate_logits_.logits(row);
  auto& best = best_[static_cast<size_t>(row)];
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (logits[i] > best.logit && greedy_bias_[static_cast<size_t>(tokens[i])] > kMinusInfinity) {
      best = {tokens[i], logits[i]};
    }
  }
  end_logits_[static_cast<size_t>(row)] = candidate_logits_.logit(row, kEosId);
}

TokenPredictor::Likeliest ModelPredictor::likeliest(int64_t row) const {
  if (model_.copy_gate()) return TokenPredictor::likeliest(row);
  return {best_[static_cast<size_t>(row)], end_logits_[static_cast<size_t>(row)]};
}

float ModelPredictor::logit(int64_t row, int32_t token) const {
  if (has_candidates_) return candidate_logits_.logit(row, token);
  return logits_.at(row, token);
}

}  // namespace nmt
