#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/integer_weight.cpp"
#include "kernels/integer_weight.h"

// Vectors of a size unknown to the compiler cannot be elements of an array.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "kernels/byte_product-inl.h"
#include "kernels/quantize.h"
#include "kernels/vector_loop-inl.h"

#ifndef NMT_INTEGER_PRODUCT
#define NMT_INTEGER_PRODUCT
namespace nmt {

/// A product of rows of integers by panels of 16 outputs.
struct IntegerProduct {
  const int32_t* rows;      // [N, units]
  const float* row_scales;  // [N]
  int64_t num_units;        // even
  const int32_t* panels;    // [panels, units, 16]
  const float* scales;      // [panels, 16]
  const int32_t* shifts;    // [panels, 16]
  bool vnni;
};

}  // namespace nmt
#endif

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

constexpr int kPanel = 16;          // outputs: a cache line of 32-bit units
constexpr int64_t kPanelGroup = 8;  // panels that stay in the L2 cache while all rows pass
constexpr int64_t kRowGroup = 96;   // rows that stay in it while all panels pass

using Vector = UnitVector;

constexpr int kVectors = kPanel / static_cast<int>(hn::MaxLanes(Units()));  // in a panel
constexpr int kMaxRows = std::clamp((kRegisters - 6) / kVectors, 1, 6);

/// The number of panels, a power of two, whose sums and weights fit in the registers.
template <class Product>
constexpr int panels_at_once(int rows) {
  int panels = kPanelGroup;
  while (panels > 1 &&
         panels * kVectors * (rows + Product::kUnits) + 2 * Product::kUnits > kRegisters) {
    panels /= 2;
  }
  return panels;
}

/// kRows rows and kPanels panels of y.
template <class Product, int kRows, int kPanels>
HWY_INLINE void multiply_tile(const IntegerProduct& p, int64_t row, int64_t panel, Matrix y) {
  constexpr int kWidth = kPanels * kVectors;
  constexpr bool kFits = kRows * kWidth + (kWidth + 1) * Product::kUnits <= kRegisters;
  const Units d;
  const hn::RebindToFloat<Units> df;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t units = p.num_units;
  const int32_t* x = p.rows + row * units;
  const int32_t* panels = p.panels + panel * units * kPanel;
  Vector sums[kRows][kWidth];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < kWidth; ++v) sums[r][v] = hn::Zero(d);
  }
  for (int64_t k = 0; k < units; k += Product::kUnits) {
    Vector weights[kWidth][Product::kUnits];
#pragma GCC unroll 16
    for (int v = 0; v < kWidth; ++v) {
      const int32_t* from = panels + (v / kVectors * units + k) * kPanel + v % kVectors * lanes;
#pragma GCC unroll 16
      for (int u = 0; u < Product::kUnits; ++u) {
        const auto weight = hn::LoadU(d, from + int64_t{kPanel} * u);
        weights[v][u] = kFits && kRows > 1 ? in_register(weight) : weight;
      }
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      Vector values[Product::kUnits];
#pragma GCC unroll 16
      for (int u = 0; u < Product::kUnits; ++u) values[u] = hn::Set(d, x[r * units + k + u]);
#pragma GCC unroll 16
      for (int v = 0; v < kWidth; ++v) {
        sums[r][v] = Product::add(sums[r][v], values, weights[v]);
      }
    }
  }
  constexpr int64_t kColumns = int64_t{kPanels} * kPanel;
  const int64_t first = panel * kPanel;
  const int64_t count = std::min(kColumns, y.columns - first);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    const auto row_scale = hn::Set(df, p.row_scales[row + r]);
    float* to = y.row(row + r) + first;
    HWY_ALIGN float values[kColumns];
#pragma GCC unroll 16
    for (int v = 0; v < kWidth; ++v) {
      const auto sum = hn::Sub(sums[r][v], hn::LoadU(d, p.shifts + first + v * lanes));
      const auto scale = hn::Mul(row_scale, hn::LoadU(df, p.scales + first + v * lanes));
      const auto value = hn::Mul(hn::ConvertTo(df, sum), scale);
      hn::StoreU(value, df, (count == kColumns ? to : values) + v * lanes);
    }
    if (count < kColumns) std::copy_n(values, count, to);
  }
}

/// Panels [first, last) of kRows rows.
template <class Product, int kRows>
void multiply_rows(const IntegerProduct& p, int64_t row, int64_t first, int64_t last, Matrix y) {
  constexpr int kAtOnce = panels_at_once<Product>(kRows);
  int64_t panel = first;
  for (; panel + kAtOnce <= last; panel += kAtOnce) {
    multiply_tile<Product, kRows, kAtOnce>(p, row, panel, y);
  }
  for (; panel < last; ++panel) multiply_tile<Product, kRows, 1>(p, row, panel, y);
}

/// Splits the rows [first_row, last_row) into nearly equal blocks of at most kMaxRows.
template <class Product>
HWY_INLINE void multiply_group(const IntegerProduct& p, int64_t first_row, int64_t last_row,
                               int64_t first, int64_t last, Matrix y) {
  using MultiplyRows = void (*)(const IntegerProduct&, int64_t, int64_t, int64_t, Matrix);
  constexpr MultiplyRows kByRows[] = {multiply_rows<Product, 1>,
                                      multiply_rows<Product, std::min(2, kMaxRows)>,
                                      multiply_rows<Product, std::min(3, kMaxRows)>,
                                      multiply_rows<Product, std::min(4, kMaxRows)>,
                                      multiply_rows<Product, std::min(5, kMaxRows)>,
                                      multiply_rows<Product, std::min(6, kMaxRows)>};
  const int64_t count = last_row - first_row;
  const int64_t blocks = (count + kMaxRows - 1) / kMaxRows;
  for (int64_t block = 0; block < blocks; ++block) {
    const int64_t row = first_row + count * block / blocks;
    const int64_t rows = first_row + count * (block + 1) / blocks - row;
    kByRows[rows - 1](p, row, first, last, y);
  }
}

template <class Product>
void multiply_by(const IntegerProduct& p, Matrix y) {
  const int64_t num_panels = (y.columns + kPanel - 1) / kPanel;
  for (int64_t row = 0; row < y.rows; row += kRowGroup) {
    const int64_t last_row = std::min(row + kRowGroup, y.rows);
    for (int64_t first = 0; first < num_panels; first += kPanelGroup) {
      const int64_t last = std::min(first + kPanelGroup, num_panels);
      multiply_group<Product>(p, row, last_row, first, last, y);
    }
  }
}

void multiply_all(const IntegerProduct& p, Matrix y) {
  p.vnni ? multiply_by<VnniProduct>(p, y) : multiply_by<PairProduct>(p, y);
}

bool has_vnni_product() { return !std::is_same_v<VnniProduct, PairProduct>; }

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

HWY_EXPORT(multiply_all);
HWY_EXPORT(has_vnni_product);

int IntegerWeight::largest_byte() {
  return has_vnni() && HWY_DYNAMIC_DISPATCH(has_vnni_product)() ? 127 : 63;
}

IntegerWeight::IntegerWeight(ConstMatrix weight, int largest)
    : inputs_(weight.columns), largest_(largest) {
  constexpr int64_t kPanel = HWY_NAMESPACE::kPanel;
  constexpr int64_t kInUnit = sizeof(int32_t);
  num_units_ = (inputs_ + 2 * kInUnit - 1) / (2 * kInUnit) * 2;
  const int64_t num_panels = (weight.rows + kPanel - 1) / kPanel;
  panels_.resize(static_cast<size_t>(num_panels * num_units_ * kPanel));
  scales_.resize(static_cast<size_t>(num_panels * kPanel));
  shifts_.resize(scales_.size());
  std::vector<int8_t> row(static_cast<size_t>(num_units_ * kInUnit));
  for (int64_t output = 0; output < weight.rows; ++output) {
    const auto place = static_cast<size_t>(output);
    scales_[place] = quantize_row(weight.row(output), inputs_, largest, row.data());
    for (const int8_t byte : row) shifts_[place] += (largest + 1) * byte;
    int32_t* column = panels_.data() + output / kPanel * num_units_ * kPanel + output % kPanel;
    for (int64_t unit = 0; unit < num_units_; ++unit) {
      std::memcpy(column + unit * kPanel, row.data() + unit * kInUnit, sizeof(int32_t));
    }
  }
}

void IntegerWeight::multiply(ConstMatrix x, Matrix y) const {
  thread_local std::vector<int32_t> rows;
  thread_local std::vector<float> row_scales;
  rows.resize(std::max(rows.size(), static_cast<size_t>(x.rows * num_units_)));
  row_scales.resize(std::max(row_scales.size(), static_cast<size_t>(x.rows)));
  for (int64_t i = 0; i < x.rows; ++i) {
    int32_t* row = rows.data() + i * num_units_;
    row_scales[static_cast<size_t>(i)] =
        quantize_row(x.row(i), inputs_, largest_, reinterpret_cast<uint8_t*>(row));
  }
  HWY_DYNAMIC_DISPATCH(multiply_all)
  ({rows.data(), row_scales.data(), num_units_, panels_.data(), scales_.data(), shifts_.data(),
    has_vnni()},
   y);
}

}  // namespace nmt
#endif
