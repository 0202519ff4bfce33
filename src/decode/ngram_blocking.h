#pragma once

#include <cstdint>
#include <vector>

namespace nmt {

/// The tokens that would end an n-gram which `tokens` already hold: each that has followed their
/// last n − 1 before. Paulus et al. 2018, section 2.5.
std::vector<int32_t> repeating_tokens(const std::vector<int32_t>& tokens, int64_t n);

}  // namespace nmt
