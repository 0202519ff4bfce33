#include "decode/search_options.h"

#include <algorithm>
#include <cmath>

namespace nmt {

bool keeps_attention(const SearchOptions& options) {
  return options.attention || options.coverage_penalty != 0.0;
}

double length_divisor(const SearchOptions& options, int64_t length) {
  const auto tokens = static_cast<double>(length);
  return std::pow(options.mean_normalization ? tokens : (5.0 + tokens) / 6.0,
                  options.length_penalty);
}

int64_t output_limit(const SearchOptions& options, int64_t source_length) {
  constexpr double kSlack = 10.0;
  const double by_ratio = options.max_length_ratio * static_cast<double>(source_length) + kSlack;
  return std::min(options.max_length, static_cast<int64_t>(by_ratio));
}

}  // namespace nmt
