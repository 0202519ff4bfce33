#pragma once

#include <cstdint>

namespace nmt {

/// Rows of W_a of location attention: source words that it can see, counted from the first.
constexpr int64_t kLocationPositions = 256;

}  // namespace nmt
