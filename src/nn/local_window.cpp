#include "nn/local_window.h"

#include <ATen/ATen.h>

#include "attentions/attention_kind.h"

namespace nmt {
namespace {

/// [B|1, 1, S]
torch::Tensor padding_of(const AttentionMemory& memory) {
  if (memory.mask.defined()) return memory.mask;
  const auto& states = memory.keys;
  return torch::zeros({1, 1, states.size(1)}, states.options().dtype(torch::kBool));
}

}  // namespace

torch::Tensor sentence_lengths(const AttentionMemory& memory) {
  return padding_of(memory).logical_not().sum(-1, /*keepdim=*/true, torch::kFloat);
}

LocalWindow window_around(const torch::Tensor& positions, const AttentionMemory& memory) {
  const auto words =
      torch::arange(1, memory.keys.size(1) + 1, positions.options().dtype(torch::kFloat));
  const auto distances = words - positions;  // [B, Q, S]
  return {distances, padding_of(memory).logical_or(distances.abs() > kLocalHalfWidth)};
}

}  // namespace nmt
