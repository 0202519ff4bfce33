#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "numbers/mix_bits.h"

namespace nmt {

/// A stream of random numbers that is the same on every machine and library (SplitMix64; Steele,
/// Lea and Flood 2014). std::shuffle and the distributions of <random> differ between libraries.
class Random {
 public:
  /// A stream for each (seed, stream): the same pair gives the same numbers.
  Random(uint64_t seed, uint64_t stream) : state_(seed + 0x9E3779B97F4A7C15ULL * (2 * stream + 1)) {
    next();
  }

  uint64_t next() { return mix_bits(state_ += 0x9E3779B97F4A7C15ULL); }

  /// Uniform in [0, 1).
  double uniform() {
    constexpr double kUnit = 1.0 / (uint64_t{1} << 53);
    return static_cast<double>(next() >> 11) * kUnit;
  }

  /// Uniform in [0, bound), bound at least 1. The bias is below bound/2⁶⁴.
  uint64_t below(uint64_t bound) { return next() % bound; }

 private:
  uint64_t state_;
};

/// Fisher and Yates' shuffle.
template <typename T>
void shuffle(std::vector<T>& values, Random& random) {
  for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

}  // namespace nmt
