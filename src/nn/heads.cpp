#include "nn/heads.h"

#include <ATen/ATen.h>

#include <cmath>

#include "nn/attention.h"

namespace nmt {

torch::Tensor split_heads(const torch::Tensor& columns, int64_t heads) {
  return columns.view({columns.size(0), columns.size(1), heads, -1}).transpose(1, 2);
}

torch::Tensor join_heads(const torch::Tensor& heads) { return heads.transpose(1, 2).flatten(2); }

HeadsOutput attend_heads(const torch::Tensor& query, const torch::Tensor& keys,
                         const torch::Tensor& values, const torch::Tensor& mask) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(query.size(-1)));
  const auto scores = torch::matmul(query * scale, keys.transpose(2, 3));  // [B, n, Q, S]
  const auto weights = masked_softmax(scores, mask);                       // [B, n, Q, S]
  return {torch::matmul(weights, values), weights};
}

}  // namespace nmt
