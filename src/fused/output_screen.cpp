#include "fused/output_screen.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nmt {
namespace {

constexpr int64_t kScreenBlock = 1024;  // tokens; their logits stay in cache

}  // namespace

OutputScreen::OutputScreen(ConstMatrix weight) : weight_(weight) {
  rounding_ = int8_rounding(weight);
  for (int64_t token = 0; token < weight.rows; ++token) {
    const float norm = std::sqrt(squared_norm(weight.row(token), weight.columns));
    norms_.push_back(norm + rounding_[static_cast<size_t>(token)]);
  }
  for (int64_t first = 0; first < weight.rows; first += kScreenBlock) {
    const int64_t count = std::min(kScreenBlock, weight.rows - first);
    blocks_.emplace_back(weight.row_range(first, count), WeightType::kInt8);
  }
}

void OutputScreen::find(ConstMatrix x, const float* bias, Room& room,
                        std::vector<TokenLogit>& best) const {
  const size_t count = best.size();
  room.errors.resize(count);
  room.screens.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const float* row = x.row(static_cast<int64_t>(i));
    // Each number is rounded by half a step at most, of which the largest one has 127.
    const float step = largest_magnitude(row, x.columns) / 127.0F;
    const float width = std::sqrt(static_cast<float>(x.columns));
    room.errors[i].input_norm = std::sqrt(squared_norm(row, x.columns));
    room.errors[i].input_rounding = 0.5F * step * width;
    room.screens[i].clear();
  }
  int64_t first = 0;
  for (const auto& block : blocks_) {
    const auto logits = room.logits.take(x.rows, block.outputs());
    block.multiply(x, logits);
    for (size_t i = 0; i < count; ++i) {
      auto& error = room.errors[i];
      error.rounding = rounding_.data() + first;
      error.norms = norms_.data() + first;
      add_to_screen(logits.row(static_cast<int64_t>(i)), bias + first, error, logits.columns,
                    static_cast<int32_t>(first), room.screens[i]);
    }
    first += logits.columns;
  }
  for (size_t i = 0; i < count; ++i) {
    best[i] = best_of(room.screens[i], x.row(static_cast<int64_t>(i)), bias);
  }
}

TokenLogit OutputScreen::best_of(const LogitScreen& screen, const float* x,
                                 const float* bias) const {
  TokenLogit best{0, -std::numeric_limits<float>::infinity()};
  for (const auto& [token, most] : screen.possible) {
    if (most < screen.floor) continue;  // the floor has risen since
    const float logit = dot_product(weight_.row(token), x, weight_.columns) + bias[token];
    if (logit > best.logit) best = {token, logit};
  }
  return best;
}

}  // namespace nmt
