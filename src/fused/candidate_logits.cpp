#include "fused/candidate_logits.h"

#include <algorithm>

namespace nmt {

void CandidateLogits::compute(const PackedOutputLayer& output, ConstMatrix attentional_hidden,
                              const std::vector<DecoderRow>& rows) {
  tokens_.clear();
  selections_.clear();
  size_t most = 0;
  for (const auto& row : rows) {
    if (tokens_.empty() || tokens_.back() != row.candidates) {
      selections_.push_back({static_cast<int64_t>(tokens_.size()), 0, row.candidates});
      most = std::max(most, row.candidates->size());
    }
    ++selections_.back().num_rows;
    tokens_.push_back(row.candidates);
  }
  const auto all = logits_.take(attentional_hidden.rows, static_cast<int64_t>(most));
  output.multiply_selected(attentional_hidden, selections_, all);
  for (int64_t row = 0; row < all.rows; ++row) {
    const auto& candidates = tokens(row);
    float* values = all.row(row);
    for (size_t i = 0; i < candidates.size(); ++i) values[i] += output.bias()[candidates[i]];
  }
  if (no_bias_.size() < most) no_bias_.resize(most);
}

void CandidateLogits::find_top(int64_t row, int64_t num_best, TopTokens& top) {
  const auto& candidates = tokens(row);
  top.clear();
  add_to_top(logits_.matrix().row(row), no_bias_.data(), static_cast<int64_t>(candidates.size()), 0,
             num_best, top);
  for (auto& best : top.best) best.token = candidates[static_cast<size_t>(best.token)];
}

float CandidateLogits::logit(int64_t row, int32_t token) const {
  const auto& candidates = tokens(row);
  const auto found = std::lower_bound(candidates.begin(), candidates.end(), token);
  if (found == candidates.end() || *found != token) return kMinusInfinity;
  return logits(row)[found - candidates.begin()];
}

void CandidateLogits::copy(int64_t row, int64_t vocabulary_size, float* to) const {
  std::fill_n(to, vocabulary_size, kMinusInfinity);
  const auto& candidates = tokens(row);
  for (size_t i = 0; i < candidates.size(); ++i) to[candidates[i]] = logits(row)[i];
}

}  // namespace nmt
