#pragma once

#include <cstdint>
#include <vector>

#include "text/tokenizer.h"

namespace nmt {

/// Cuts an over-long sentence into parts of at most max_length tokens: behind the last sentence end
/// in reach, else before the last word in reach, else anywhere. At least one part, possibly empty.
std::vector<std::vector<int32_t>> split_source(const std::vector<int32_t>& tokens,
                                               int64_t max_length, const Tokenizer& tokenizer);

}  // namespace nmt
