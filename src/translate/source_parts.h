#pragma once

#include <cstdint>
#include <vector>

#include "text/tokenizer.h"

namespace nmt {

/// The sentence as it is, or, when it has more than max_length tokens, its parts: models are
/// trained on single sentences, so it is cut behind every sentence end; where none is in reach
/// before the last word in reach, else anywhere. At least one part, possibly empty.
std::vector<std::vector<int32_t>> split_source(const std::vector<int32_t>& tokens,
                                               int64_t max_length, const Tokenizer& tokenizer);

}  // namespace nmt
