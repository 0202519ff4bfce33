#include "decode/token_history.h"

#include <algorithm>

#include "text/special_tokens.h"

namespace nmt {

int32_t TokenHistory::extend(int32_t previous, int32_t token, double log_probability,
                             std::vector<float> attention) {
  nodes_.push_back(
      {previous, token, this->log_probability(previous) + log_probability, std::move(attention)});
  return static_cast<int32_t>(nodes_.size() - 1);
}

double TokenHistory::log_probability(int32_t node) const {
  return node == kRoot ? 0.0 : nodes_[static_cast<size_t>(node)].log_probability;
}

std::vector<int32_t> TokenHistory::tokens(int32_t node) const {
  std::vector<int32_t> tokens;
  for (int32_t at = node; at != kRoot; at = nodes_[static_cast<size_t>(at)].previous) {
    tokens.push_back(nodes_[static_cast<size_t>(at)].token);
  }
  std::reverse(tokens.begin(), tokens.end());
  return tokens;
}

std::vector<double> TokenHistory::attention_sums(int32_t node, int64_t source_length) const {
  std::vector<double> sums(static_cast<size_t>(source_length), 0.0);
  for (int32_t at = node; at != kRoot; at = nodes_[static_cast<size_t>(at)].previous) {
    const auto& weights = nodes_[static_cast<size_t>(at)].attention;
    // Empty without attention; the rows of a padded batch are longer than the source.
    const size_t count = std::min(weights.size(), sums.size());
    for (size_t i = 0; i < count; ++i) sums[i] += double{weights[i]};
  }
  return sums;
}

Hypothesis TokenHistory::trace(int32_t node) const {
  Hypothesis hypothesis;
  hypothesis.log_probability = log_probability(node);
  for (int32_t at = node; at != kRoot; at = nodes_[static_cast<size_t>(at)].previous) {
    const Node& step = nodes_[static_cast<size_t>(at)];
    if (step.token != kEosId) hypothesis.tokens.push_back(step.token);
    hypothesis.token_log_probabilities.push_back(
        static_cast<float>(step.log_probability - log_probability(step.previous)));
    if (!step.attention.empty()) hypothesis.attention.push_back(step.attention);
  }
  std::reverse(hypothesis.tokens.begin(), hypothesis.tokens.end());
  std::reverse(hypothesis.token_log_probabilities.begin(),
               hypothesis.token_log_probabilities.end());
  std::reverse(hypothesis.attention.begin(), hypothesis.attention.end());
  return hypothesis;
}

}  // namespace nmt
