#pragma once

#include <cstdint>
#include <vector>

#include "kernels/integer_weight.h"
#include "kernels/matrix.h"

namespace nmt {

/// Input rows for which only some outputs of a linear layer are wanted.
struct OutputSelection {
  int64_t first_row = 0;  // of x and of y
  int64_t num_rows = 0;
  const std::vector<int32_t>* outputs = nullptr;  // ascending
};

/// y_ij = x_i · w_o for each selection's rows i and its outputs o, the j-th of them.
/// x [N, I], weight [O, I], y [N, at least the most outputs]. Bit for bit, y_ij depends only on x_i
/// and w_o.
void multiply_selected(ConstMatrix x, ConstMatrix weight,
                       const std::vector<OutputSelection>& selections, Matrix y);

/// The same with 8-bit integer weights; the results equal those of IntegerWeight.
class IntegerRows {
 public:
  /// weight [O, I]; copied. `largest` as for IntegerWeight.
  explicit IntegerRows(ConstMatrix weight, int largest = IntegerWeight::largest_byte());

  void multiply(ConstMatrix x, const std::vector<OutputSelection>& selections, Matrix y) const;

 private:
  int64_t inputs_;
  int largest_;
  int64_t num_units_;            // of 32 bits in a row: four bytes; whole vectors
  std::vector<int32_t> rows_;    // [O, units]
  std::vector<float> scales_;    // [O]
  std::vector<int32_t> shifts_;  // [O]  Σ (largest + 1) byte, which the shift of inputs adds
};

}  // namespace nmt
