#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nmt {

/// Indices of the lists, longest first; equally long ones keep their order.
std::vector<size_t> longest_first(const std::vector<std::vector<int32_t>>& lists);

/// Deals the indices out to the threads one by one, so that all get equally many long lists.
/// Deterministic.
std::vector<std::vector<size_t>> distribute_round_robin(const std::vector<size_t>& order,
                                                        int threads);

}  // namespace nmt
