#pragma once

#include <string>

#include "attention_views/attention_matrix.h"

namespace nmt {

/// An HTML element in which the script of every page (pages/attention.js) draws the matrix.
std::string attention_box(const AttentionMatrix& matrix);

/// A weight in percent, rounded.
int percent_of(float weight);

/// Weights in percent, two hexadecimal digits each, row by row.
std::string percent_digits(const AttentionMatrix& matrix);

}  // namespace nmt
