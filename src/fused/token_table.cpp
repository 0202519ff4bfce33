#include "fused/token_table.h"

#include <algorithm>

#include "kernels/elementwise.h"

namespace nmt {

TokenTable::TokenTable(ConstMatrix embeddings, ConstMatrix weight, const float* bias)
    : embeddings_(embeddings),
      weight_(weight, WeightType::kFloat32),
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

  const std::lock_guard<std::mutex> lock(mutex_);
  Buffer embedded_buffer, products_buffer;
  const auto count = static_cast<int64_t>(missing.size());
  const auto embedded = embedded_buffer.take(count, embeddings_.columns);
  const auto products = products_buffer.take(count, weight_.outputs());
  gather_rows(embeddings_, missing, embedded);
  weight_.multiply(embedded, products);
  if (bias_ != nullptr) add_bias(products, bias_);
  for (int64_t i = 0; i < count; ++i) {
    const int32_t token = missing[static_cast<size_t>(i)];
    if (is_ready(token)) continue;  // another thread was first
    copy_rows(products.row_range(i, 1), table_.matrix().row_range(token, 1));
    is_ready(token).store(true, std::memory_order_release);
  }
}

}  // namespace nmt
