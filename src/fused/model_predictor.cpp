#include "fused/model_predictor.h"

#include <algorithm>
#include <limits>

#include "text/special_tokens.h"

namespace nmt {

ModelPredictor::ModelPredictor(const InferenceModel& model)
    : output_(model.output_layer()), session_(model.make_session()) {}

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
  logits_.take(output_.vocabulary_size(), count);
  for (auto& top : top_) top.clear();
  int64_t first = 0;
  for (size_t block = 0; block < output_.blocks().size(); ++block) {
    const auto logits = logit_block(block);
    output_.blocks()[block].multiply(attentional_hidden, logits);
    for (int64_t row = 0; row < count; ++row) {
      add_to_top(logits.row(row), output_.bias() + first, logits.columns,
                 static_cast<int32_t>(first), num_best, top_[static_cast<size_t>(row)]);
    }
    first += logits.columns;
  }
}

void ModelPredictor::copy_logits(int64_t row, float* logits) const {
  if (has_candidates_) return candidate_logits_.copy(row, vocabulary_size(), logits);
  for (size_t block = 0; block < output_.blocks().size(); ++block) {
    const auto from = logit_block(block);
    logits = std::copy_n(from.row(row), from.columns, logits);
  }
}

void ModelPredictor::exclude(const std::vector<int64_t>& tokens) {
  greedy_bias_.assign(output_.bias(), output_.bias() + output_.vocabulary_size());
  const auto shut_out = [&](int64_t token) {
    const auto place = static_cast<size_t>(token);
    if (place < greedy_bias_.size()) {
      greedy_bias_[place] = -std::numeric_limits<float>::infinity();
    }
  };
  for (const int64_t token : tokens) shut_out(token);
  shut_out(kEosId);  // is looked at by itself: it may be forbidden
}

void ModelPredictor::step_greedy(const std::vector<DecoderRow>& rows) {
  const auto attentional_hidden = session_->advance(rows);
  best_.assign(rows.size(), {kEosId, -std::numeric_limits<float>::infinity()});
  end_logits_.resize(rows.size());
  if (rows.front().candidates != nullptr) {
    candidate_logits_.compute(output_, attentional_hidden, rows);
    for (int64_t row = 0; row < attentional_hidden.rows; ++row) find_best_candidate(row);
  } else if (const auto* shortlist = output_.shortlist()) {
    shortlist->find(attentional_hidden, greedy_bias_.data(), shortlist_workspace_, best_);
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
    const auto logits = logits_.take(attentional_hidden.rows, block.outputs());
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
    if (logits[i] > best.logit &&
        greedy_bias_[static_cast<size_t>(tokens[i])] > -std::numeric_limits<float>::infinity()) {
      best = {tokens[i], logits[i]};
    }
  }
  end_logits_[static_cast<size_t>(row)] = candidate_logits_.logit(row, kEosId);
}

float ModelPredictor::logit(int64_t row, int32_t token) const {
  if (has_candidates_) return candidate_logits_.logit(row, token);
  constexpr int64_t kBlock = PackedOutputLayer::kBlockTokens;
  return logit_block(static_cast<size_t>(token / kBlock)).row(row)[token % kBlock];
}

Matrix ModelPredictor::logit_block(size_t block) const {
  const auto& all = logits_.matrix();
  const int64_t first = static_cast<int64_t>(block) * PackedOutputLayer::kBlockTokens;
  return {all.row(first), all.columns, output_.blocks()[block].outputs()};
}

}  // namespace nmt
