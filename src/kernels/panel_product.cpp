#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/panel_product.cpp"
#include "kernels/panel_product.h"

// Vectors of a size unknown to the compiler cannot be elements of an array.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>

#include <algorithm>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

constexpr int kPanel = 16;          // outputs: a cache line of floats
constexpr int64_t kPanelGroup = 8;  // panels that stay in the L2 cache while all rows pass
constexpr int64_t kRowGroup = 96;   // rows that stay in it while all panels pass

using Floats = hn::CappedTag<float, kPanel>;
using Vector = hn::Vec<Floats>;

constexpr int kVectors = kPanel / static_cast<int>(hn::MaxLanes(Floats()));  // in a panel
constexpr int kRegisters = HWY_TARGET <= HWY_AVX3 ? 32 : 16;
constexpr int kMaxSums = kRegisters * 3 / 4;  // the others hold weights and a value of x
constexpr int kMaxRows = std::clamp(kMaxSums / kVectors, 1, 6);

/// The number of panels, a power of two, whose sums fill the registers.
constexpr int panels_at_once(int rows) {
  int panels = kPanelGroup;
  while (panels > 1 && panels * rows * kVectors > kMaxSums) panels /= 2;
  if (kRegisters == 32 && rows == 3) panels /= 2;  // 24 sums and 8 weights leave none for x
  return panels;
}

/// Columns [column, column + 16 kPanels) of y [kRows, O], whose sums stay in registers for all k.
/// If GCC did not fully unroll the loops over the sums, they would be in memory, at half the speed.
template <int kRows, int kPanels>
HWY_INLINE void multiply_tile(ConstMatrix x, const float* panels, int64_t column, Matrix y) {
  constexpr int kWidth = kPanels * kVectors;
  constexpr bool kFits = kRows * kWidth + kWidth + 1 <= kRegisters;
  const Floats d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t inputs = x.columns;
  Vector sums[kRows][kWidth];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < kWidth; ++v) sums[r][v] = hn::Zero(d);
  }
  for (int64_t k = 0; k < inputs; ++k) {
    Vector weights[kWidth];
#pragma GCC unroll 16
    for (int v = 0; v < kWidth; ++v) {
      const int64_t panel = v / kVectors;
      const auto weight =
          hn::LoadU(d, panels + (panel * inputs + k) * kPanel + v % kVectors * lanes);
      weights[v] = kFits && kRows > 1 ? in_register(weight) : weight;
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const auto value = hn::Set(d, x.row(r)[k]);
#pragma GCC unroll 16
      for (int v = 0; v < kWidth; ++v) sums[r][v] = hn::MulAdd(value, weights[v], sums[r][v]);
    }
  }
  constexpr int64_t kColumns = int64_t{kPanels} * kPanel;
  const int64_t count = std::min(kColumns, y.columns - column);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    float* to = y.row(r) + column;
    if (count == kColumns) {
#pragma GCC unroll 16
      for (int v = 0; v < kWidth; ++v) hn::StoreU(sums[r][v], d, to + v * lanes);
    } else {
      HWY_ALIGN float values[kColumns];
#pragma GCC unroll 16
      for (int v = 0; v < kWidth; ++v) hn::Store(sums[r][v], d, values + v * lanes);
      std::copy_n(values, count, to);
    }
  }
}

/// Panels [first, last) of y [kRows, O].
template <int kRows>
void multiply_rows(ConstMatrix x, const float* panels, int64_t first, int64_t last, Matrix y) {
  constexpr int kAtOnce = panels_at_once(kRows);
  const auto tile = [&](int64_t panel) { return panels + panel * x.columns * kPanel; };
  int64_t panel = first;
  for (; panel + kAtOnce <= last; panel += kAtOnce) {
    multiply_tile<kRows, kAtOnce>(x, tile(panel), panel * kPanel, y);
  }
  for (; panel < last; ++panel) multiply_tile<kRows, 1>(x, tile(panel), panel * kPanel, y);
}

/// Splits the rows into nearly equal blocks of at most kMaxRows.
HWY_INLINE void multiply_group(ConstMatrix x, const float* panels, int64_t first, int64_t last,
                               Matrix y) {
  using MultiplyRows = void (*)(ConstMatrix, const float*, int64_t, int64_t, Matrix);
  constexpr MultiplyRows kByRows[] = {multiply_rows<1>,
                                      multiply_rows<std::min(2, kMaxRows)>,
                                      multiply_rows<std::min(3, kMaxRows)>,
                                      multiply_rows<std::min(4, kMaxRows)>,
                                      multiply_rows<std::min(5, kMaxRows)>,
                                      multiply_rows<std::min(6, kMaxRows)>};
  const int64_t blocks = (x.rows + kMaxRows - 1) / kMaxRows;
  for (int64_t block = 0; block < blocks; ++block) {
    const int64_t row = x.rows * block / blocks;
    const int64_t rows = x.rows * (block + 1) / blocks - row;
    kByRows[rows - 1](x.row_range(row, rows), panels, first, last, y.row_range(row, rows));
  }
}

void multiply_panels(ConstMatrix x, const float* panels, Matrix y) {
  const int64_t num_panels = (y.columns + kPanel - 1) / kPanel;
  for (int64_t row = 0; row < x.rows; row += kRowGroup) {
    const int64_t rows = std::min(kRowGroup, x.rows - row);
    for (int64_t first = 0; first < num_panels; first += kPanelGroup) {
      const int64_t last = std::min(first + kPanelGroup, num_panels);
      multiply_group(x.row_range(row, rows), panels, first, last, y.row_range(row, rows));
    }
  }
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

std::vector<float> pack_panels(ConstMatrix weight) {
  constexpr int64_t kPanel = HWY_NAMESPACE::kPanel;
  const int64_t num_panels = (weight.rows + kPanel - 1) / kPanel;
  std::vector<float> panels(static_cast<size_t>(num_panels * weight.columns * kPanel));
  for (int64_t output = 0; output < weight.rows; ++output) {
    float* column = panels.data() + output / kPanel * weight.columns * kPanel + output % kPanel;
    for (int64_t k = 0; k < weight.columns; ++k) column[k * kPanel] = weight.row(output)[k];
  }
  return panels;
}

NMT_KERNEL(void, multiply_panels, (ConstMatrix x, const float* panels, Matrix y), (x, panels, y));

}  // namespace nmt
#endif
