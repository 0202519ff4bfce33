#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/integer_weight.cpp"
#include "kernels/integer_weight.h"

// Vectors of a size unknown to the compiler cannot be elements of an array.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

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
};

}  // namespace nmt
#endif

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

constexpr int kPanel = 16;          // outputs: a cache line of 32-bit units
constexpr int64_t kPanelGroup = 8;  // panels that stay in the L2 cache while all rows pass
constexpr int64_t kRowGroup = 96;   // rows that stay in it while all panels pass

using Units = hn::CappedTag<int32_t, kPanel>;
using Vector = hn::Vec<Units>;

constexpr int kVectors = kPanel / static_cast<int>(hn::MaxLanes(Units()));  // in a panel
constexpr int kRegisters = HWY_TARGET <= HWY_AVX3 ? 32 : 16;
constexpr int kMaxRows = std::clamp((kRegisters - 6) / kVectors, 1, 6);

/// As many panels as the registers hold, a power of two: sums, two weights of each and the rest.
constexpr int panels_at_once(int rows) {
  int panels = 4;
  while (panels > 1 && panels * kVectors * (rows + 2) + 4 > kRegisters) panels /= 2;
  return panels;
}

#if HWY_TARGET <= HWY_AVX3
#define NMT_INTRINSIC(name) _mm512_##name
#elif HWY_TARGET == HWY_AVX2
#define NMT_INTRINSIC(name) _mm256_##name
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_SSSE3
#define NMT_INTRINSIC(name) _mm_##name
#endif

#ifndef NMT_INTRINSIC
/// The part of `bits` bits at `shift` of each lane, with its sign.
template <int shift, int bits>
HWY_INLINE Vector part(Vector v) {
  return hn::ShiftRight<32 - bits>(hn::ShiftLeft<32 - bits - shift>(v));
}
#endif

/// x_0 w_0 + x_1 w_1 of each 32-bit lane as two 16-bit integers.
HWY_INLINE Vector multiply_shorts(Vector x, Vector w) {
#ifdef NMT_INTRINSIC
  return Vector{NMT_INTRINSIC(madd_epi16)(x.raw, w.raw)};
#else
  return hn::Add(hn::Mul(part<0, 16>(x), part<0, 16>(w)),
                 hn::Mul(part<16, 16>(x), part<16, 16>(w)));
#endif
}

/// What products add to sums, two units at a time.
struct Bytes {
  static HWY_INLINE Vector add(Vector sum, Vector x0, Vector w0, Vector x1, Vector w1) {
#ifdef NMT_INTRINSIC
    const auto pairs = NMT_INTRINSIC(add_epi16)(NMT_INTRINSIC(maddubs_epi16)(x0.raw, w0.raw),
                                                NMT_INTRINSIC(maddubs_epi16)(x1.raw, w1.raw));
    return hn::Add(sum, multiply_shorts(Vector{pairs}, Vector{NMT_INTRINSIC(set1_epi16)(1)}));
#else
    const auto quads = [](Vector x, Vector w) {
      const auto low =
          hn::Add(hn::Mul(part<0, 8>(x), part<0, 8>(w)), hn::Mul(part<8, 8>(x), part<8, 8>(w)));
      const auto high =
          hn::Add(hn::Mul(part<16, 8>(x), part<16, 8>(w)), hn::Mul(part<24, 8>(x), part<24, 8>(w)));
      return hn::Add(low, high);
    };
    return hn::Add(hn::Add(sum, quads(x0, w0)), quads(x1, w1));
#endif
  }
};

struct Shorts {
  static HWY_INLINE Vector add(Vector sum, Vector x0, Vector w0, Vector x1, Vector w1) {
#if HWY_TARGET <= HWY_AVX3_DL
    const auto first = _mm512_dpwssd_epi32(sum.raw, x0.raw, w0.raw);
    return Vector{_mm512_dpwssd_epi32(first, x1.raw, w1.raw)};
#else
    return hn::Add(hn::Add(sum, multiply_shorts(x0, w0)), multiply_shorts(x1, w1));
#endif
  }
};

#undef NMT_INTRINSIC

/// kRows rows and kPanels panels of y.
template <class Product, int kRows, int kPanels>
HWY_INLINE void multiply_tile(const IntegerProduct& p, int64_t row, int64_t panel, Matrix y) {
  constexpr int kWidth = kPanels * kVectors;
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
  for (int64_t k = 0; k < units; k += 2) {
    Vector weights[2][kWidth];
#pragma GCC unroll 16
    for (int v = 0; v < kWidth; ++v) {
      const int32_t* from = panels + (v / kVectors * units + k) * kPanel + v % kVectors * lanes;
      weights[0][v] = hn::LoadU(d, from);
      weights[1][v] = hn::LoadU(d, from + kPanel);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const auto x0 = hn::Set(d, x[r * units + k]);
      const auto x1 = hn::Set(d, x[r * units + k + 1]);
#pragma GCC unroll 16
      for (int v = 0; v < kWidth; ++v) {
        sums[r][v] = Product::add(sums[r][v], x0, weights[0][v], x1, weights[1][v]);
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
  constexpr int kAtOnce = panels_at_once(kRows);
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
HWY_INLINE void multiply_all(const IntegerProduct& p, Matrix y) {
  const int64_t num_panels = (y.columns + kPanel - 1) / kPanel;
  for (int64_t row = 0; row < y.rows; row += kRowGroup) {
    const int64_t last_row = std::min(row + kRowGroup, y.rows);
    for (int64_t first = 0; first < num_panels; first += kPanelGroup) {
      multiply_group<Product>(p, row, last_row, first, std::min(first + kPanelGroup, num_panels),
                              y);
    }
  }
}

void multiply_all_bytes(const IntegerProduct& p, Matrix y) { multiply_all<Bytes>(p, y); }
void multiply_all_shorts(const IntegerProduct& p, Matrix y) { multiply_all<Shorts>(p, y); }

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

HWY_EXPORT(multiply_all_bytes);
HWY_EXPORT(multiply_all_shorts);

namespace {

constexpr int64_t kPanel = HWY_NAMESPACE::kPanel;
constexpr int kLargestShort = 4095;  // of the inputs

/// The largest magnitude of a weight whose sum with any inputs fits in 32 bits:
/// Σ |ŵ_i| ≤ largest · Σ |w_i| / max |w_i| + inputs / 2.
int largest_weight(const float* weight, int64_t inputs) {
  double sum = 0;
  double largest = 0;
  for (int64_t i = 0; i < inputs; ++i) {
    sum += std::abs(weight[i]);
    largest = std::max(largest, std::abs(double{weight[i]}));
  }
  const double most = std::numeric_limits<int32_t>::max() / double{kLargestShort};
  const double fitting =
      (most - 0.5 * static_cast<double>(inputs)) * largest / std::max(sum, 1e-30);
  return static_cast<int>(std::clamp(fitting, 1.0, 32767.0));
}

int largest_weight(const float* /*weight*/, int64_t /*inputs*/, int8_t /*type*/) {
  return IntegerWeight::kLargestByte;
}
int largest_weight(const float* weight, int64_t inputs, int16_t /*type*/) {
  return largest_weight(weight, inputs);
}

}  // namespace

IntegerWeight::IntegerWeight(ConstMatrix weight, IntegerType type)
    : type_(type), inputs_(weight.columns), outputs_(weight.rows) {
  if (type == IntegerType::kInt8) {
    pack<int8_t>(weight);
  } else {
    pack<int16_t>(weight);
  }
}

template <typename Integer>
void IntegerWeight::pack(ConstMatrix weight) {
  constexpr auto kInUnit = static_cast<int64_t>(sizeof(int32_t) / sizeof(Integer));
  num_units_ = (inputs_ + 2 * kInUnit - 1) / (2 * kInUnit) * 2;
  const int64_t num_panels = (outputs_ + kPanel - 1) / kPanel;
  panels_.resize(static_cast<size_t>(num_panels * num_units_ * kPanel));
  scales_.resize(static_cast<size_t>(num_panels * kPanel));
  shifts_.resize(scales_.size());
  std::vector<Integer> row(static_cast<size_t>(num_units_ * kInUnit));
  for (int64_t output = 0; output < outputs_; ++output) {
    const float* values = weight.row(output);
    const int largest = largest_weight(values, inputs_, Integer());
    const float scale = quantize_row(values, inputs_, largest, row.data());
    double wrong = 0;
    double norm = 0;
    int32_t sum = 0;
    for (int64_t i = 0; i < inputs_; ++i) {
      const Integer integer = row[static_cast<size_t>(i)];
      const double value = double{scale} * integer;
      wrong += (values[i] - value) * (values[i] - value);
      norm += value * value;
      sum += integer;
    }
    largest_rounding_ = std::max(largest_rounding_, static_cast<float>(std::sqrt(wrong)));
    largest_norm_ = std::max(largest_norm_, static_cast<float>(std::sqrt(norm)));
    scales_[static_cast<size_t>(output)] = scale;
    if (type_ == IntegerType::kInt8) {
      shifts_[static_cast<size_t>(output)] = (kLargestByte + 1) * sum;
    }
    int32_t* column = panels_.data() + output / kPanel * num_units_ * kPanel + output % kPanel;
    for (int64_t unit = 0; unit < num_units_; ++unit) {
      std::memcpy(column + unit * kPanel, row.data() + unit * kInUnit, sizeof(int32_t));
    }
  }
}

int IntegerWeight::largest_input() const {
  return type_ == IntegerType::kInt8 ? kLargestByte : kLargestShort;
}

void IntegerWeight::multiply(ConstMatrix x, int64_t first, Matrix y) const {
  thread_local std::vector<int32_t> rows;
  thread_local std::vector<float> row_scales;
  rows.resize(std::max(rows.size(), static_cast<size_t>(x.rows * num_units_)));
  row_scales.resize(std::max(row_scales.size(), static_cast<size_t>(x.rows)));
  for (int64_t i = 0; i < x.rows; ++i) {
    int32_t* row = rows.data() + i * num_units_;
    row_scales[static_cast<size_t>(i)] =
        type_ == IntegerType::kInt8
            ? quantize_row(x.row(i), inputs_, kLargestByte, reinterpret_cast<uint8_t*>(row))
            : quantize_row(x.row(i), inputs_, kLargestShort, reinterpret_cast<int16_t*>(row));
  }
  const IntegerProduct product = {rows.data(),
                                  row_scales.data(),
                                  num_units_,
                                  panels_.data() + first * num_units_,
                                  scales_.data() + first,
                                  shifts_.data() + first};
  if (type_ == IntegerType::kInt8) {
    HWY_DYNAMIC_DISPATCH(multiply_all_bytes)(product, y);
  } else {
    HWY_DYNAMIC_DISPATCH(multiply_all_shorts)(product, y);
  }
}

float IntegerWeight::input_rounding(const float* x) const {
  float largest = 0;
  for (int64_t i = 0; i < inputs_; ++i) largest = std::max(largest, std::abs(x[i]));
  // Each number is rounded by half a step at most.
  return 0.5F * largest / static_cast<float>(largest_input()) *
         std::sqrt(static_cast<float>(inputs_));
}

}  // namespace nmt
#endif
