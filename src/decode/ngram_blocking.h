#pragma once

#include <cstdint>
#include <vector>

namespace nmt {

/// The tokens that would complete an n-gram that `tokens` already contain (Paulus et al. 2018,
/// section 2.5).
std::vector<int32_t> repeating_tokens(const std::vector<int32_t>& tokens, int64_t n);

}  // namespace nmt
