#pragma once

#include <cstdint>

namespace nmt {

/// Rows of W_a of location attention: the number of leading source words that it can attend to.
constexpr int64_t kLocationPositions = 256;

}  // namespace nmt
