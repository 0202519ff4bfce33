#include "decode/length_order.h"

#include <algorithm>
#include <numeric>

namespace nmt {

std::vector<size_t> longest_first(const std::vector<std::vector<int32_t>>& lists) {
  std::vector<size_t> order(lists.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return lists[a].size() > lists[b].size(); });
  return order;
}

std::vector<std::vector<size_t>> distribute_round_robin(const std::vector<size_t>& order,
                                                        int threads) {
  std::vector<std::vector<size_t>> shares(static_cast<size_t>(threads));
  for (size_t i = 0; i < order.size(); ++i) shares[i % shares.size()].push_back(order[i]);
  return shares;
}

}  // namespace nmt
