#include "fused/bounded_argmax.h"

#include <algorithm>
#include <cmath>

#include "text/special_tokens.h"

namespace nmt {
namespace {

constexpr int64_t kTokensPerBlock = 1024;  // few enough for their logits to stay in cache

/// ‖x‖
float norm_of(const float* x, int64_t size) { return std::sqrt(dot_product(x, x, size)); }

}  // namespace

BoundedArgmax::BoundedArgmax(ConstMatrix weight) : weight_(weight) {
  rounding_ = int8_rounding(weight);
  for (int64_t token = 0; token < weight.rows; ++token) {
    const float norm = norm_of(weight.row(token), weight.columns);
    norms_.push_back(norm + rounding_[static_cast<size_t>(token)]);
  }
  for (int64_t first = 0; first < weight.rows; first += kTokensPerBlock) {
    const int64_t count = std::min(kTokensPerBlock, weight.rows - first);
    blocks_.emplace_back(weight.row_range(first, count), WeightType::kInt8);
  }
}

void BoundedArgmax::find(ConstMatrix x, const float* bias, Workspace& workspace,
                         std::vector<TokenLogit>& best) const {
  const size_t count = best.size();
  workspace.error_bounds.resize(count);
  workspace.possible.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const float* row = x.row(static_cast<int64_t>(i));
    // Rounding changes each number by at most half a step.
    const float step =
        largest_magnitude(row, x.columns) / static_cast<float>(IntegerWeight::largest_byte());
    const float width = std::sqrt(static_cast<float>(x.columns));
    workspace.error_bounds[i].input_norm = norm_of(row, x.columns);
    workspace.error_bounds[i].input_rounding = 0.5F * step * width;
    workspace.possible[i].clear();
  }
  int64_t first = 0;
  for (const auto& block : blocks_) {
    const auto logits = workspace.logits.take(x.rows, block.outputs());
    block.multiply(x, logits);
    for (size_t i = 0; i < count; ++i) {
      auto& error = workspace.error_bounds[i];
      error.rounding = rounding_.data() + first;
      error.norms = norms_.data() + first;
      add_argmax_candidates(logits.row(static_cast<int64_t>(i)), bias + first, error,
                            logits.columns, static_cast<int32_t>(first), workspace.possible[i]);
    }
    first += logits.columns;
  }
  for (size_t i = 0; i < count; ++i) {
    best[i] = best_of(workspace.possible[i], x.row(static_cast<int64_t>(i)), bias);
  }
}

TokenLogit BoundedArgmax::best_of(const ArgmaxCandidates& possible, const float* x,
                                  const float* bias) const {
  TokenLogit best{kEosId, kMinusInfinity};
  for (const auto& [token, most] : possible.tokens) {
    if (most < possible.floor) continue;  // the floor has risen since it was added
    const float logit = dot_product(weight_.row(token), x, weight_.columns) + bias[token];
    if (logit > best.logit) best = {token, logit};
  }
  return best;
}

}  // namespace nmt
