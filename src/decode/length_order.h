#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "decode/hypothesis.h"
#include "threads/thread_team.h"

namespace nmt {

/// Indices of the lists, longest first; equally long ones keep their order.
std::vector<size_t> longest_first(const TokenLists& lists);

/// Likewise without the empty lists.
std::vector<size_t> longest_first_nonempty(const TokenLists& lists);

/// Calls work(share) on the team's threads, for shares of the indices that are dealt out one by
/// one, so that all get equally many long lists. Deterministic. Each thread multiplies matrices
/// alone.
void share_among_threads(const std::vector<size_t>& order, ThreadTeam& team,
                         const std::function<void(const std::vector<size_t>& share)>& work);

}  // namespace nmt
