#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/selected_outputs.cpp"
#include "kernels/selected_outputs.h"

// Vectors of a size unknown to the compiler cannot be elements of an array.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>

#include <algorithm>

#include "kernels/byte_product-inl.h"
#include "kernels/quantize.h"
#include "kernels/vector_loop-inl.h"

#ifndef NMT_SELECTED_INTEGERS
#define NMT_SELECTED_INTEGERS
namespace nmt {

/// Rows of an input and of a weight, in integers.
struct SelectedIntegers {
  const int32_t* x;       // [N, units]
  const float* x_scales;  // [N]
  const int32_t* weight;  // [O, units]
  const float* scales;    // [O]
  const int32_t* shifts;  // [O]
  int64_t num_units;      // whole vectors, an even number of them
};

}  // namespace nmt
#endif

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

constexpr int kMaxRows = 5;  // the usual beam

/// The number of outputs computed together, which share the loads of the inputs.
constexpr int outputs_at_once(int rows) {
  if (rows == 1) return 8;
  return kRegisters == 32 || rows == 2 ? 4 : 2;
}

/// Products of rows in float32, each summed in the lanes of one vector.
struct FloatDots {
  ConstMatrix x;
  ConstMatrix weight;

  template <int kRows, int kOutputs>
  HWY_INLINE void compute(int64_t row, const int32_t* outputs, Matrix y, int64_t column) const {
    const hn::CappedTag<float, 16> d;
    using Vector = hn::Vec<decltype(d)>;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    const float* w[kOutputs];
    for (int o = 0; o < kOutputs; ++o) w[o] = weight.row(outputs[o]);
    Vector sums[kRows][kOutputs];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
      for (int o = 0; o < kOutputs; ++o) sums[r][o] = hn::Zero(d);
    }
    int64_t k = 0;
    for (; k + lanes <= x.columns; k += lanes) {
      Vector values[kRows];
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) values[r] = in_register(hn::LoadU(d, x.row(row + r) + k));
#pragma GCC unroll 16
      for (int o = 0; o < kOutputs; ++o) {
        const auto loaded = hn::LoadU(d, w[o] + k);
        const auto number = kRows > 1 ? in_register(loaded) : loaded;
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) sums[r][o] = hn::MulAdd(values[r], number, sums[r][o]);
      }
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
      for (int o = 0; o < kOutputs; ++o) {
        const hn::CappedTag<float, 1> single;
        auto sum = hn::Set(single, hn::GetLane(hn::SumOfLanes(d, sums[r][o])));
        for (int64_t i = k; i < x.columns; ++i) {
          sum = hn::MulAdd(hn::LoadU(single, x.row(row + r) + i), hn::LoadU(single, w[o] + i), sum);
        }
        y.row(row + r)[column + o] = hn::GetLane(sum);
      }
    }
  }
};

/// Products of rows of integers.
template <class Product>
struct IntegerDots {
  SelectedIntegers p;

  template <int kRows, int kOutputs>
  HWY_INLINE void compute(int64_t row, const int32_t* outputs, Matrix y, int64_t column) const {
    const Units d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    const int32_t* x = p.x + row * p.num_units;
    const int32_t* w[kOutputs];
    for (int o = 0; o < kOutputs; ++o) w[o] = p.weight + outputs[o] * p.num_units;
    UnitVector sums[kRows][kOutputs];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
      for (int o = 0; o < kOutputs; ++o) sums[r][o] = hn::Zero(d);
    }
    for (int64_t k = 0; k < p.num_units; k += Product::kUnits * lanes) {
      UnitVector values[kRows][Product::kUnits];
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
        for (int u = 0; u < Product::kUnits; ++u) {
          values[r][u] = hn::LoadU(d, x + r * p.num_units + k + u * lanes);
        }
      }
#pragma GCC unroll 16
      for (int o = 0; o < kOutputs; ++o) {
        UnitVector numbers[Product::kUnits];
#pragma GCC unroll 16
        for (int u = 0; u < Product::kUnits; ++u) numbers[u] = hn::LoadU(d, w[o] + k + u * lanes);
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) {
          sums[r][o] = Product::add(sums[r][o], values[r], numbers);
        }
      }
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
      for (int o = 0; o < kOutputs; ++o) {
        const int32_t sum = hn::GetLane(hn::SumOfLanes(d, sums[r][o])) - p.shifts[outputs[o]];
        y.row(row + r)[column + o] =
            static_cast<float>(sum) * (p.x_scales[row + r] * p.scales[outputs[o]]);
      }
    }
  }
};

template <int kRows, class Dots>
HWY_INLINE void compute_rows(const Dots& dots, int64_t row, const int32_t* outputs, int64_t first,
                             int64_t last, Matrix y) {
  constexpr int kAtOnce = outputs_at_once(kRows);
  for (; first + kAtOnce <= last; first += kAtOnce) {
    dots.template compute<kRows, kAtOnce>(row, outputs + first, y, first);
  }
  for (; first < last; ++first) dots.template compute<kRows, 1>(row, outputs + first, y, first);
}

/// Computes outputs [first, last) of a selection.
template <class Dots>
void compute_selection(const Dots& dots, const OutputSelection& selection, int64_t first,
                       int64_t last, Matrix y) {
  constexpr decltype(&compute_rows<1, Dots>) kByRows[] = {
      compute_rows<1, Dots>, compute_rows<2, Dots>, compute_rows<3, Dots>, compute_rows<4, Dots>,
      compute_rows<5, Dots>};
  const int32_t* outputs = selection.outputs->data();
  const int64_t blocks = (selection.num_rows + kMaxRows - 1) / kMaxRows;
  for (int64_t block = 0; block < blocks; ++block) {
    const int64_t begin = selection.num_rows * block / blocks;
    const int64_t row = selection.first_row + begin;
    const int64_t rows = selection.num_rows * (block + 1) / blocks - begin;
    kByRows[rows - 1](dots, row, outputs, first, last, y);
  }
}

/// All selections pass over one part of the weight while it is in the L2 cache, then over the next.
template <class Dots>
void compute_all(const Dots& dots, const std::vector<OutputSelection>& selections,
                 int64_t bytes_of_output, Matrix y) {
  constexpr int64_t kCached = int64_t{512} * 1024;
  const int64_t part =
      selections.size() > 1 ? std::max<int64_t>(kCached / bytes_of_output, 64) : INT32_MAX;
  std::vector<int64_t> done(selections.size());
  bool more = true;
  for (int64_t end = part; more; end += part) {
    more = false;
    for (size_t i = 0; i < selections.size(); ++i) {
      const auto& outputs = *selections[i].outputs;
      const auto first = outputs.begin() + done[i];
      const int64_t last = std::lower_bound(first, outputs.end(), end) - outputs.begin();
      compute_selection(dots, selections[i], done[i], last, y);
      done[i] = last;
      more = more || last < static_cast<int64_t>(outputs.size());
    }
  }
}

void multiply_selected(ConstMatrix x, ConstMatrix weight,
                       const std::vector<OutputSelection>& selections, Matrix y) {
  compute_all(FloatDots{x, weight}, selections, weight.columns * 4, y);
}

void multiply_integers(const SelectedIntegers& p, bool vnni,
                       const std::vector<OutputSelection>& selections, Matrix y) {
  if (vnni) {
    compute_all(IntegerDots<VnniProduct>{p}, selections, p.num_units * 4, y);
  } else {
    compute_all(IntegerDots<PairProduct>{p}, selections, p.num_units * 4, y);
  }
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

NMT_KERNEL(void, multiply_selected,
           (ConstMatrix x, ConstMatrix weight, const std::vector<OutputSelection>& selections,
            Matrix y),
           (x, weight, selections, y));
HWY_EXPORT(multiply_integers);

IntegerRows::IntegerRows(ConstMatrix weight, int largest)
    : inputs_(weight.columns), largest_(largest) {
  constexpr int64_t kInUnit = sizeof(int32_t);
  constexpr int64_t kMultiple = 32;  // units: two vectors of 64 bytes
  num_units_ = ((inputs_ + kInUnit - 1) / kInUnit + kMultiple - 1) / kMultiple * kMultiple;
  rows_.resize(static_cast<size_t>(weight.rows * num_units_));
  for (int64_t output = 0; output < weight.rows; ++output) {
    auto* row = reinterpret_cast<int8_t*>(rows_.data() + output * num_units_);
    scales_.push_back(quantize_row(weight.row(output), inputs_, largest, row));
    int32_t shift = 0;
    for (int64_t i = 0; i < inputs_; ++i) shift += (largest + 1) * row[i];
    shifts_.push_back(shift);
  }
}

void IntegerRows::multiply(ConstMatrix x, const std::vector<OutputSelection>& selections,
                           Matrix y) const {
  thread_local std::vector<int32_t> rows;
  thread_local std::vector<float> scales;
  rows.resize(std::max(rows.size(), static_cast<size_t>(x.rows * num_units_)));
  scales.resize(std::max(scales.size(), static_cast<size_t>(x.rows)));
  for (int64_t i = 0; i < x.rows; ++i) {
    auto* row = reinterpret_cast<uint8_t*>(rows.data() + i * num_units_);
    scales[static_cast<size_t>(i)] = quantize_row(x.row(i), inputs_, largest_, row);
  }
  HWY_DYNAMIC_DISPATCH(multiply_integers)
  ({rows.data(), scales.data(), rows_.data(), scales_.data(), shifts_.data(), num_units_},
   has_vnni(), selections, y);
}

}  // namespace nmt
#endif
