#pragma once

#include <algorithm>
#include <cmath>

namespace nmt {

/// log(e^a + e^b)
inline float log_add(float a, float b) {
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

/// log σ(x)
inline float log_sigmoid(float x) { return std::min(x, 0.0F) - std::log1p(std::exp(-std::abs(x))); }

}  // namespace nmt
