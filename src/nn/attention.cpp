#include "nn/attention.h"

#include <ATen/ATen.h>

#include <limits>

namespace nmt {
namespace {

std::map<const AttentionKind*, AttentionMaker>& makers() {
#define NMT_MAKER(name) {&name##_attention(), make_##name##_attention},
  static std::map<const AttentionKind*, AttentionMaker> all = {NMT_ATTENTIONS(NMT_MAKER)};
#undef NMT_MAKER
  return all;
}

}  // namespace

AttentionMemory AttentionMemory::select(const torch::Tensor& sentences) const {
  const auto choose = [&](const torch::Tensor& tensor) {
    return tensor.defined() ? tensor.index_select(0, sentences) : tensor;
  };
  return {choose(keys), choose(values), choose(mask), steps, choose(coverage), choose(lengths)};
}

torch::Tensor padding_mask(const torch::Tensor& lengths, int64_t max_length) {
  const auto position = torch::arange(max_length, lengths.options());  // [S]
  return position >= lengths.unsqueeze(1).unsqueeze(2);                // [B, 1, S]
}

torch::Tensor masked_softmax(const torch::Tensor& scores, const torch::Tensor& mask) {
  constexpr auto kMinusInfinity = -std::numeric_limits<float>::infinity();
  return torch::softmax(mask.defined() ? scores.masked_fill(mask, kMinusInfinity) : scores, -1);
}

AttentionImpl::AttentionImpl(const AttentionOptions& options) : options_(options) {
  const auto add = [&](const std::string& name, int64_t rows) {
    const auto shape = torch::nn::LinearOptions(options.size, rows).bias(false);
    matrices_.emplace(name, register_module(name, torch::nn::Linear(shape)));
  };
  for (const auto& learned : options.kind->matrices) {
    add(learned.name, learned.rows > 0 ? learned.rows : options.size);
    matrix(learned.name).detach().mul_(learning_scale(learned, options.size));
  }
  if (options.coverage) add("coverage", 1);
}

std::map<std::string, double> AttentionImpl::learning_scales() const {
  std::map<std::string, double> scales;
  for (const auto& matrix : options_.kind->matrices) {
    scales[matrix.name + std::string(".weight")] = learning_scale(matrix, options_.size);
  }
  return scales;
}

AttentionMemory AttentionImpl::prepare(const torch::Tensor& states, const torch::Tensor& mask) {
  return {states, states, mask};
}

torch::Tensor AttentionImpl::multiply(const std::string& matrix, const torch::Tensor& x) {
  return matrices_.at(matrix)->forward(x);
}

/// score(h_t, key_i + w_c C_t,i) [B, Q, S]: coverage gives each query its own keys.
torch::Tensor ScoredAttention::covered_scores(const torch::Tensor& decoder_states,
                                              const AttentionMemory& memory) {
  const auto added = memory.coverage.unsqueeze(3) * matrix("coverage");  // [B, Q, S, H]
  const auto keys = (memory.keys.unsqueeze(1) + added).flatten(0, 1);    // [B·Q, S, H]
  const auto queries = decoder_states.reshape({-1, 1, options().size});  // [B·Q, 1, H]
  return scores(queries, keys).view(memory.coverage.sizes());
}

AttentionOutput ScoredAttention::forward(const torch::Tensor& decoder_states,
                                         const AttentionMemory& memory) {
  const auto score = memory.coverage.defined() ? covered_scores(decoder_states, memory)
                                               : scores(decoder_states, memory.keys);  // [B, Q, S]
  const auto weights = masked_softmax(score / options().temperature, memory.mask);
  return {torch::bmm(weights, memory.values), weights};  // [B, Q, H], [B, Q, S]
}

Attention make_attention(const AttentionOptions& options) {
  return Attention(makers().at(options.kind)(options));
}

void register_attention_module(const AttentionKind& kind, AttentionMaker make) {
  makers()[&kind] = make;
}

}  // namespace nmt
