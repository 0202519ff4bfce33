#pragma once

#include <cstdint>
#include <vector>

#include "text/tokenizer.h"

namespace nmt {

/// Splits a line of more than max_length tokens after each sentence end, since models are trained
/// on single sentences; a longer sentence before its last word that fits, or else anywhere. Returns
/// at least one part, possibly empty.
std::vector<std::vector<int32_t>> split_source(const std::vector<int32_t>& tokens,
                                               int64_t max_length, const Tokenizer& tokenizer);

}  // namespace nmt
