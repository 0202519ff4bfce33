#include "nn/attention.h"

#include <ATen/ATen.h>

#include <limits>

namespace nmt {

torch::Tensor padding_mask(const torch::Tensor& lengths, int64_t max_length) {
  const auto position = torch::arange(max_length, lengths.options());  // [S]
  return position.unsqueeze(0) >= lengths.unsqueeze(1);                // [B, S]
}

GeneralAttentionImpl::GeneralAttentionImpl(int64_t hidden_size)
    : linear_(register_module(
          "linear",
          torch::nn::Linear(torch::nn::LinearOptions(hidden_size, hidden_size).bias(false)))) {}

AttentionOutput GeneralAttentionImpl::forward(const torch::Tensor& decoder_states,
                                              const AttentionMemory& memory) {
  constexpr auto kMinusInfinity = -std::numeric_limits<float>::infinity();
  const auto query = linear_(decoder_states);                                // [B, Q, H]
  auto scores = torch::bmm(query, memory.values.transpose(1, 2));            // [B, Q, S]
  scores = scores.masked_fill(memory.padding.unsqueeze(1), kMinusInfinity);  // [B, Q, S]
  const auto weights = torch::softmax(scores, -1);                           // [B, Q, S]
  return {torch::bmm(weights, memory.values), weights};                      // [B, Q, H]
}

}  // namespace nmt
