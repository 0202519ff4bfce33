#include "fused/generator_loss.h"

#include <algorithm>
#include <utility>

#include "kernels/bfloat16.h"
#include "kernels/token_loss_row.h"

namespace nmt {
namespace {

constexpr int64_t kBlockFloats = int64_t{3} << 20;  // 12 MiB of logits
constexpr int64_t kMinRows = 64;                    // fewer rows make the products inefficient

}  // namespace

FusedGeneratorLoss::FusedGeneratorLoss(const ParameterTable& parameters)
    : weight_(parameters.at("generator.output.weight")),
      bias_(parameters.at("generator.output.bias")) {
  if (parameters.count("generator.copy.weight") == 0) return;
  copying_.emplace(parameters.at("generator.copy.weight"), parameters.at("generator.copy.bias"));
}

void FusedGeneratorLoss::begin(ConstMatrix states, const PackedBatch& share,
                               FusedAttention* attention) {
  if (copying_) copying_->begin(states, share, *attention);
  states_ = states;
  share_ = &share;
  states_gradient_.take(states.rows, states.columns);
}

int64_t FusedGeneratorLoss::num_blocks() const {
  const int64_t largest = std::max(kMinRows, kBlockFloats / weight_.value.rows);
  return (states_.rows + largest - 1) / largest;
}

/// Blocks begin at even rows, so that both copies of a token (R-Drop) are in the same block.
Part FusedGeneratorLoss::rows_of_block(int64_t block, int64_t blocks) const {
  const auto begin = [&](int64_t i) {
    return i == blocks ? states_.rows : states_.rows / 2 * i / blocks * 2;
  };
  return {begin(block), begin(block + 1) - begin(block)};
}

/// The logits, without the bias.
Matrix FusedGeneratorLoss::multiply(Part rows) {
  const auto logits = logits_.take(rows.count, weight_.value.rows);
  linear(states_.row_range(rows.first, rows.count), weight_, logits, WriteMode::kOverwrite);
  return logits;
}

/// visit(token, pair)
template <typename Visit>
void FusedGeneratorLoss::for_each_further_target(int64_t row, Visit&& visit) const {
  const auto& all = share_->further_targets;
  auto found = std::lower_bound(all.begin(), all.end(), row,
                                [](const auto& target, int64_t of) { return target.row < of; });
  for (; found != all.end() && found->row == row; ++found) visit(found->token, found->pair);
}

std::vector<double> FusedGeneratorLoss::log_probabilities() {
  std::vector<double> result(share_->weights.size());
  const int64_t blocks = num_blocks();
  for (int64_t block = 0; block < blocks; ++block) {
    const auto rows = rows_of_block(block, blocks);
    const auto logits = multiply(rows);
    for (int64_t i = 0; i < rows.count; ++i) {
      const auto row = static_cast<size_t>(rows.first + i);
      const int64_t target = share_->target_output[row];
      float* values = logits.row(i);
      const auto logit = [&](int64_t token) { return values[token] + bias_.value.data[token]; };
      std::vector<std::pair<size_t, double>> of_pairs = {{share_->pairs[row], 0.0}};
      for_each_further_target(rows.first + i, [&](int64_t token, size_t pair) {
        of_pairs.emplace_back(pair, double{logit(token)} - double{logit(target)});
      });
      const double loss = loss_row(rows.first + i, values, target, TokenWeights());
      for (const auto& [pair, above] : of_pairs) result[pair] += above - loss;
    }
  }
  return result;
}

double FusedGeneratorLoss::run_block(int64_t block, int64_t blocks, float divergence,
                                     WeightGradients& gradients) {
  const auto rows = rows_of_block(block, blocks);
  const auto logits = multiply(rows);
  const float* bias = bias_.value.data;
  double loss = 0.0;
  // With a divergence (R-Drop), rows come in twos, those of a pair and of its copy, with one loss.
  const int64_t stride = divergence > 0 ? 2 : 1;
  for (int64_t row = 0; row < rows.count; row += stride) {
    const int64_t target = share_->target_output[static_cast<size_t>(rows.first + row)];
    const auto pair = share_->pairs[static_cast<size_t>(rows.first + row)];
    auto weights = share_->weights[pair];
    for_each_further_target(rows.first + row, [&](int64_t, size_t further) {
      weights.target += share_->weights[further].target;
      weights.uniform += share_->weights[further].uniform;
    });
    const float token_loss = divergence > 0
                                 ? token_loss_row_pair(logits.row(row), logits.row(row + 1), bias,
                                                       logits.columns, target, weights, divergence)
                                 : loss_row(rows.first + row, logits.row(row), target, weights);
    if (share_->is_counted[pair]) loss += token_loss;
    for_each_further_target(rows.first + row, [&](int64_t token, size_t further) {
      const float weight = share_->weights[further].target;
      logits.row(row)[target] += weight;
      logits.row(row)[token] -= weight;
    });
  }
  const auto states = states_.row_range(rows.first, rows.count);
  const auto states_gradient = states_gradient_.matrix().row_range(rows.first, rows.count);
  // Two products read the block: if they use bfloat16, it is rounded only once, here.
  const Factor gradient =
      weight_.rounded.data == nullptr ? Factor(logits) : Factor(rounded(logits, rounded_));
  linear_backward(gradient, weight_, states_gradient, WriteMode::kOverwrite);
  if (copying_) copying_->backward(rows.first, rows.count, states_gradient, gradients);
  gradients.add_product(weight_.gradient, gradient, states);
  gradients.add_column_sums(bias_.gradient, logits);
  return loss;
}

/// The loss of a target row. Overwrites its logits with their gradient.
float FusedGeneratorLoss::loss_row(int64_t row, float* logits, int64_t target,
                                   TokenWeights weights) {
  const float* bias = bias_.value.data;
  const int64_t vocabulary_size = weight_.value.rows;
  if (copying_) return copying_->loss_row(row, logits, bias, vocabulary_size, weights);
  return token_loss_row(logits, bias, vocabulary_size, target, weights);
}

}  // namespace nmt
