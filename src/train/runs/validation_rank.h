#pragma once

#include <limits>

namespace nmt {

/// The key by which validations are ranked: the metric and, where that is equal (the first
/// validations may all have a BLEU of 0), the loss.
struct ValidationRank {
  double value = 0.0;
  double loss = std::numeric_limits<double>::quiet_NaN();  // unknown
};

/// NaN is neither better nor worse.
inline bool is_better(const ValidationRank& a, const ValidationRank& b, bool lower_is_better) {
  if (a.value == b.value) return a.loss < b.loss;
  return lower_is_better ? a.value < b.value : a.value > b.value;
}

}  // namespace nmt
