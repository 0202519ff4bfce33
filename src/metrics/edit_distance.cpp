#include "metrics/edit_distance.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nmt {
namespace {

constexpr int32_t kUnreached = int32_t{1} << 30;
constexpr int64_t kHalfBand = 25;

struct Band {
  size_t begin;
  size_t end;
};

/// The columns of row i within the band.
Band band_of_row(size_t i, size_t hypothesis_size, size_t reference_size) {
  const double ratio = static_cast<double>(reference_size) / static_cast<double>(hypothesis_size);
  // Rows of very different lengths must still overlap.
  const int64_t half_band = static_cast<double>(kHalfBand) < ratio / 2
                                ? static_cast<int64_t>(std::ceil(ratio / 2 + kHalfBand))
                                : kHalfBand;
  const auto diagonal = static_cast<int64_t>(std::floor(static_cast<double>(i) * ratio));
  const auto begin = static_cast<size_t>(std::max<int64_t>(0, diagonal - half_band));
  const auto end = static_cast<size_t>(diagonal + half_band);
  return {begin, i == hypothesis_size ? reference_size + 1 : std::min(reference_size + 1, end)};
}

}  // namespace

BandedEditDistance::BandedEditDistance(std::vector<uint32_t> reference)
    : reference_(std::move(reference)) {}

int32_t BandedEditDistance::Row::cost(size_t column) const {
  const size_t index = column - begin;  // a column before `begin` wraps to a huge index
  return index < cells.size() ? cells[index].cost : kUnreached;
}

void BandedEditDistance::fill_row(size_t i, const std::vector<uint32_t>& hypothesis,
                                  const Row& above, Row& row) const {
  const auto band = band_of_row(i, hypothesis.size(), reference_.size());
  row.begin = band.begin;
  row.cells.resize(band.end - band.begin);
  int32_t left = kUnreached;
  int32_t above_left = band.begin == 0 ? kUnreached : above.cost(band.begin - 1);
  for (size_t j = band.begin; j < band.end; ++j) {
    const int32_t up = above.cost(j);
    Cell best{up + 1, Edit::kDelete};
    if (j > 0) {
      const bool equal = hypothesis[i - 1] == reference_[j - 1];
      const Cell step{above_left + (equal ? 0 : 1), equal ? Edit::kNone : Edit::kSubstitute};
      if (step.cost <= best.cost) best = step;
      if (left + 1 < best.cost) best = {left + 1, Edit::kInsert};
    }
    row.cells[j - band.begin] = best;
    left = best.cost;
    above_left = up;
  }
}

int64_t BandedEditDistance::set_base(const std::vector<uint32_t>& hypothesis) {
  base_.resize(hypothesis.size() + 1);
  variant_.resize(hypothesis.size() + 1);
  base_[0] = {};
  for (size_t j = 0; j <= reference_.size(); ++j) {
    base_[0].cells.push_back({static_cast<int32_t>(j), Edit::kInsert});
  }
  for (size_t i = 1; i <= hypothesis.size(); ++i) {
    fill_row(i, hypothesis, base_[i - 1], base_[i]);
  }
  return base_.back().cells.back().cost;
}

std::vector<Edit> BandedEditDistance::base_path() const {
  std::vector<Edit> path;
  size_t i = base_.size() - 1;
  size_t j = reference_.size();
  while (i > 0 || j > 0) {
    const Edit edit = base_[i].cells[j - base_[i].begin].edit;
    path.push_back(edit);
    if (edit != Edit::kInsert) --i;
    if (edit != Edit::kDelete) --j;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

int64_t BandedEditDistance::distance_of_variant(const std::vector<uint32_t>& hypothesis,
                                                size_t same_prefix) {
  if (same_prefix >= hypothesis.size()) return base_.back().cells.back().cost;
  for (size_t i = same_prefix + 1; i <= hypothesis.size(); ++i) {
    const auto& above = i == same_prefix + 1 ? base_[i - 1] : variant_[i - 1];
    fill_row(i, hypothesis, above, variant_[i]);
  }
  return variant_[hypothesis.size()].cells.back().cost;
}

}  // namespace nmt
