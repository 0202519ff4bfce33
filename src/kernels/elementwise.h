#pragma once

#include <cstdint>

#include "kernels/matrix.h"

namespace nmt {

/// to += from, of the same shape.
void add(ConstMatrix from, Matrix to);

/// sums [columns] += Σ of the rows: the gradient of a bias.
void add_column_sums(ConstMatrix matrix, float* sums);

/// values = tanh(values + bias), bias [columns]
void tanh_with_bias(Matrix values, const float* bias);

/// gradient *= 1 − output²: back through output = tanh(·)
void tanh_backward(ConstMatrix output, Matrix gradient);

/// Draws a dropout mask: 0 with the given probability, else 1 / (1 − probability). A function of
/// (seed, position) alone, whatever the instruction set and number of threads.
void draw_dropout_mask(uint64_t seed, float probability, Matrix mask);

/// values *= factors, element by element.
void multiply_elements(ConstMatrix factors, Matrix values);

}  // namespace nmt
