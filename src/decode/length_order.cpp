#include "decode/length_order.h"

#include <algorithm>
#include <numeric>

#include "kernels/matrix_product.h"

namespace nmt {

std::vector<size_t> longest_first(const TokenLists& lists) {
  std::vector<size_t> order(lists.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return lists[a].size() > lists[b].size(); });
  return order;
}

std::vector<size_t> longest_first_nonempty(const TokenLists& lists) {
  auto order = longest_first(lists);
  while (!order.empty() && lists[order.back()].empty()) order.pop_back();
  return order;
}

void share_among_threads(const std::vector<size_t>& order, ThreadTeam& team,
                         const std::function<void(const std::vector<size_t>& share)>& work) {
  std::vector<std::vector<size_t>> shares(static_cast<size_t>(team.size()));
  for (size_t i = 0; i < order.size(); ++i) shares[i % shares.size()].push_back(order[i]);
  team.run([&](int member) {
    const ProductsAlone products_alone;
    const auto& share = shares[static_cast<size_t>(member)];
    if (!share.empty()) work(share);
  });
}

}  // namespace nmt
