#include "fused/token_table.h"

#include <algorithm>

#include "kernels/matrix_product.h"

namespace nmt {
namespace {

// With fewer the library adds up in another order, and a row would differ in its last bits with the
// tokens that are first met together: translations with the lines that were translated before.
constexpr int64_t kFewestRows = 16;

}  // namespace

TokenTable::TokenTable(ConstMatrix embeddings, ConstMatrix weight, const float* bias)
    : embeddings_(embeddings),
      weight_(weight),
      bias_(bias),
      ready_(static_cast<size_t>(embeddings.rows)) {
  table_.take(embeddings.rows, weight.rows);
}

void TokenTable::prepare(const std::vector<int32_t>& tokens) {
  const auto is_ready = [&](int32_t token) -> auto& { return ready_[static_cast<size_t>(token)]; };
  std::vector<int32_t> missing;
  for (const int32_t token : tokens) {
    if (!is_ready(token).load(std::memory_order_acquire)) missing.push_back(token);
  }
  if (missing.empty()) return;
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());

  const std::lock_guard<std::mutex> lock(making_);
  Buffer embedded_room, products_room;
  const auto count = static_cast<int64_t>(missing.size());
  const auto embedded = embedded_room.take_zeros(std::max(count, kFewestRows), embeddings_.columns);
  const auto products = products_room.take_zeros(embedded.rows, weight_.rows);
  for (int64_t i = 0; i < count; ++i) {
    std::copy_n(embeddings_.row(missing[static_cast<size_t>(i)]), embedded.columns,
                embedded.row(i));
    std::copy_n(bias_, products.columns, products.row(i));
  }
  multiply_by_transpose(embedded, weight_, products, Into::kAdd);
  for (int64_t i = 0; i < count; ++i) {
    const int32_t token = missing[static_cast<size_t>(i)];
    if (is_ready(token)) continue;  // another thread was first
    std::copy_n(products.row(i), products.columns, table_.matrix().row(token));
    is_ready(token).store(true, std::memory_order_release);
  }
}

}  // namespace nmt
