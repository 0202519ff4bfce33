#include "evaluate/edit_distance.h"

#include <algorithm>
#include <cmath>

namespace nmt {
namespace {

constexpr int64_t kUnreached = int64_t{1} << 50;
constexpr int64_t kHalfBand = 25;

}  // namespace

BandedEditDistance::BandedEditDistance(std::vector<uint32_t> reference)
    : reference_(std::move(reference)) {}

void BandedEditDistance::fill_row(size_t i, const std::vector<uint32_t>& hypothesis,
                                  const std::vector<Cell>& above, std::vector<Cell>& row) const {
  const auto columns = static_cast<int64_t>(reference_.size()) + 1;
  const double ratio =
      static_cast<double>(reference_.size()) / static_cast<double>(hypothesis.size());
  // Rows of very different lengths must still overlap.
  const int64_t half_band = static_cast<double>(kHalfBand) < ratio / 2
                                ? static_cast<int64_t>(std::ceil(ratio / 2 + kHalfBand))
                                : kHalfBand;
  const auto diagonal = static_cast<int64_t>(std::floor(static_cast<double>(i) * ratio));
  const int64_t begin = std::max<int64_t>(0, diagonal - half_band);
  const int64_t end = i == hypothesis.size() ? columns : std::min(columns, diagonal + half_band);
  row.assign(static_cast<size_t>(columns), {kUnreached, Edit::kNone});
  for (auto j = static_cast<size_t>(begin); j < static_cast<size_t>(std::max(begin, end)); ++j) {
    Cell best{above[j].cost + 1, Edit::kDelete};
    if (j > 0) {
      const bool equal = hypothesis[i - 1] == reference_[j - 1];
      const Cell diagonal_step{above[j - 1].cost + (equal ? 0 : 1),
                               equal ? Edit::kNone : Edit::kSubstitute};
      if (diagonal_step.cost <= best.cost) best = diagonal_step;
      if (row[j - 1].cost + 1 < best.cost) best = {row[j - 1].cost + 1, Edit::kInsert};
    }
    if (best.cost < kUnreached) row[j] = best;
  }
}

int64_t BandedEditDistance::set_base(const std::vector<uint32_t>& hypothesis) {
  base_.resize(hypothesis.size() + 1);
  variant_.resize(hypothesis.size() + 1);
  base_[0].clear();
  for (size_t j = 0; j <= reference_.size(); ++j) {
    base_[0].push_back({static_cast<int64_t>(j), Edit::kInsert});
  }
  for (size_t i = 1; i <= hypothesis.size(); ++i) {
    fill_row(i, hypothesis, base_[i - 1], base_[i]);
  }
  return base_.back().back().cost;
}

std::vector<Edit> BandedEditDistance::base_path() const {
  std::vector<Edit> path;
  size_t i = base_.size() - 1;
  size_t j = reference_.size();
  while (i > 0 || j > 0) {
    const Edit edit = i == 0 ? Edit::kInsert : base_[i][j].edit;
    path.push_back(edit);
    if (edit != Edit::kInsert) --i;
    if (edit != Edit::kDelete) --j;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

int64_t BandedEditDistance::distance_of_variant(const std::vector<uint32_t>& hypothesis,
                                                size_t same_prefix) {
  if (same_prefix >= hypothesis.size()) return base_.back().back().cost;
  for (size_t i = same_prefix + 1; i <= hypothesis.size(); ++i) {
    const auto& above = i == same_prefix + 1 ? base_[i - 1] : variant_[i - 1];
    fill_row(i, hypothesis, above, variant_[i]);
  }
  return variant_[hypothesis.size()].back().cost;
}

}  // namespace nmt
