#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/matrix.h"

namespace nmt {

/// to = from, of the same shape.
void copy_rows(ConstMatrix from, Matrix to);

/// to [N, C]: row i is row rows[i] of from.
template <typename Index>
void gather_rows(ConstMatrix from, const std::vector<Index>& rows, Matrix to) {
  for (int64_t i = 0; i < to.rows; ++i) {
    std::copy_n(from.row(rows[static_cast<size_t>(i)]), to.columns, to.row(i));
  }
}

/// to += from, of the same shape.
void add(ConstMatrix from, Matrix to);

/// sums [columns] += Σ of the rows: the gradient of a bias.
void add_column_sums(ConstMatrix matrix, float* sums);

/// values += bias, bias [columns]
void add_bias(Matrix values, const float* bias);

/// values = max(0, values + bias), bias [columns]
void relu_with_bias(Matrix values, const float* bias);

/// gradient = 0 where output = 0: the backward pass of output = max(0, ·)
void relu_backward(ConstMatrix output, Matrix gradient);

/// values = tanh(values + bias), bias [columns]
void tanh_with_bias(Matrix values, const float* bias);

/// gradient *= 1 − output²: the backward pass of output = tanh(·)
void tanh_backward(ConstMatrix output, Matrix gradient);

/// Dropout: each of `values`, rows [first_row, …) of a larger matrix, becomes 0 with the given
/// probability and is divided by 1 − probability otherwise. The mask depends only on the seed and
/// the position in that matrix, on every instruction set, so it need not be stored.
void drop_out(uint64_t seed, float probability, int64_t first_row, Matrix values);

}  // namespace nmt
