#pragma once

#include <limits>
#include <string>

namespace nmt {

/// The interval of valid values of a number.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above = false;  // excludes `least`
  bool below = false;  // excludes `most`

  /// False for NaN.
  constexpr bool contains(double value) const {
    return (above ? value > least : value >= least) && (below ? value < most : value <= most);
  }

  /// "from 0 to 1", "above 0 and below 1", "at least 0"
  std::string text() const;
};

constexpr double kLargestSetting = 1e9;  // sums and products of two still fit into 64 bits

constexpr Range kAnyNumber{};
constexpr Range kPositive{0, kLargestSetting, true};
constexpr Range kNotNegative{0, kLargestSetting};
constexpr Range kProbability{0, 1, false, true};

}  // namespace nmt
