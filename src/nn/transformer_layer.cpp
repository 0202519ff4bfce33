#include "nn/transformer_layer.h"

#include <ATen/ATen.h>
#include <torch/nn/init.h>

namespace nmt {
namespace {

/// [1, T, t+T] for T new positions after t old ones: true for the positions after each new one.
torch::Tensor later_positions(int64_t old_positions, int64_t new_positions,
                              const torch::Device& device) {
  const auto row = torch::arange(new_positions, device).unsqueeze(1);        // [T, 1]
  const auto column = torch::arange(old_positions + new_positions, device);  // [t+T]
  return (column > row + old_positions).unsqueeze(0);
}

/// Appends `added` to `cache`, along the positions.
void extend(AttentionMemory& cache, const AttentionMemory& added) {
  const auto join = [](const torch::Tensor& old, const torch::Tensor& more) {
    return old.defined() ? torch::cat({old, more}, 1) : more;
  };
  cache.keys = join(cache.keys, added.keys);
  cache.values = join(cache.values, added.values);
}

}  // namespace

ResidualImpl::ResidualImpl(int64_t size, double dropout, bool pre_norm)
    : pre_norm_(pre_norm),
      norm_(register_module("norm", torch::nn::LayerNorm(std::vector<int64_t>{size}))),
      dropout_(register_module("dropout", torch::nn::Dropout(dropout))) {}

TransformerLayerImpl::TransformerLayerImpl(const Seq2SeqOptions& options,
                                           bool has_cross_attention) {
  const int64_t size = options.hidden_size;
  const AttentionOptions multi_head{&multi_head_attention(), size, options.heads};
  const auto residual = [&] { return Residual(size, options.dropout, options.pre_norm); };
  self_attention_ = register_module("self_attn", make_attention(multi_head));
  around_self_ = register_module("around_self", residual());
  if (has_cross_attention) {
    source_attention_ = register_module("source_attn", make_attention(multi_head));
    around_source_ = register_module("around_source", residual());
  }
  widen_ = register_module("widen", torch::nn::Linear(size, options.feed_forward_size));
  narrow_ = register_module("narrow", torch::nn::Linear(options.feed_forward_size, size));
  around_feed_forward_ = register_module("around_feed_forward", residual());
  for (auto& parameter : parameters()) {
    if (parameter.dim() == 2) torch::nn::init::xavier_uniform_(parameter);
  }
}

torch::Tensor TransformerLayerImpl::feed_forward(const torch::Tensor& x) {
  return around_feed_forward_->forward(
      x, [&](const torch::Tensor& in) { return narrow_(torch::relu(widen_(in))); });
}

torch::Tensor TransformerLayerImpl::encode(const torch::Tensor& x, const torch::Tensor& padding) {
  return feed_forward(around_self_->forward(x, [&](const torch::Tensor& in) {
    return self_attention_->forward(in, self_attention_->prepare(in, padding)).context;
  }));
}

AttentionMemory TransformerLayerImpl::prepare_source(const torch::Tensor& states,
                                                     const torch::Tensor& padding) {
  return source_attention_->prepare(states, padding);
}

TransformerLayerImpl::Output TransformerLayerImpl::decode(const torch::Tensor& x,
                                                          AttentionMemory& cache,
                                                          const AttentionMemory& source) {
  const int64_t length = x.size(1);
  const auto after_self = around_self_->forward(x, [&](const torch::Tensor& in) {
    extend(cache, self_attention_->prepare(in, {}));
    auto memory = cache;
    if (length > 1) memory.mask = later_positions(cache.keys.size(1) - length, length, x.device());
    return self_attention_->forward(in, memory).context;
  });
  Output output;
  const auto after_source = around_source_->forward(after_self, [&](const torch::Tensor& in) {
    // The K hypotheses of a sentence share its source.
    const auto queries = in.reshape({source.keys.size(0), -1, in.size(2)});  // [B, K·T, H]
    const auto attended = source_attention_->forward(queries, source);
    output.weights = attended.weights.reshape({in.size(0), length, -1});  // [N, T, S]
    return attended.context.reshape(in.sizes());                          // [N, T, H]
  });
  output.states = feed_forward(after_source);
  return output;
}

}  // namespace nmt
