#include "nn/transformer.h"

#include <ATen/ATen.h>
#include <torch/nn/modules/container/modulelist.h>

#include <cmath>

#include "config/layers.h"
#include "nn/dropout.h"

namespace nmt {

torch::Tensor sinusoidal_positions(int64_t first, int64_t count, int64_t size,
                                   const torch::Device& device) {
  const auto options = torch::TensorOptions(torch::kFloat).device(device);
  const auto position = torch::arange(first, first + count, options).unsqueeze(1);  // [T, 1]
  const auto even = torch::arange(0, size, 2, options);                             // [H/2]
  const auto angle = position * torch::exp(even * (-std::log(10000.0) / static_cast<double>(size)));
  return torch::stack({torch::sin(angle), torch::cos(angle)}, -1).flatten(1);  // [T, H]
}

TransformerImpl::TransformerImpl(const Seq2SeqOptions& options) : Seq2SeqImpl(options) {
  const int64_t size = options.hidden_size;
  TORCH_CHECK(options.embedding_size == size, "the Transformer has one width");
  const auto add_layers = [&](const char* name, int64_t count, bool has_cross_attention,
                              std::vector<TransformerLayer>& layers) {
    const auto list = register_module(name, torch::nn::ModuleList());
    for (int64_t i = 0; i < count; ++i) {
      layers.emplace_back(options, has_cross_attention);
      list->push_back(layers.back());
    }
  };
  add_layers("encoder", options.num_layers, false, encoder_);
  add_layers("decoder", num_decoder_layers(options), true, decoder_);
  if (options.pre_norm) {
    norm_src_ = register_module("norm_src", torch::nn::LayerNorm(std::vector<int64_t>{size}));
    norm_dec_ = register_module("norm_dec", torch::nn::LayerNorm(std::vector<int64_t>{size}));
  }
  add_generator();
  dropout_ = register_module("dropout", torch::nn::Dropout(options.dropout));
}

torch::Tensor TransformerImpl::embed(torch::nn::Embedding& embedding, const torch::Tensor& tokens,
                                     int64_t position) {
  const auto scaled = embedding(tokens) * std::sqrt(static_cast<double>(options().hidden_size));
  const auto words = drop_words(scaled, options().word_dropout, is_training());
  const auto positions =
      sinusoidal_positions(position, tokens.size(1), options().hidden_size, tokens.device());
  return dropout_(words + positions.to(words.options()));  // [N, T, H]
}

bool TransformerImpl::skips_layer() const {
  if (!is_training() || options().layer_dropout == 0.0) return false;
  return torch::rand({1}).item<double>() < options().layer_dropout;
}

EncodedSource TransformerImpl::encode(const torch::Tensor& source, const torch::Tensor& lengths) {
  const auto padding = padding_mask(lengths, source.size(1))
                           .to(source.device(), /*non_blocking=*/true);  // [B, 1, S]
  auto states = embed(emb_src_, source, 0);                              // [B, S, H]
  for (auto& layer : encoder_) {
    if (!skips_layer()) states = layer->encode(states, padding);
  }
  if (norm_src_) states = norm_src_(states);
  EncodedSource encoded;
  encoded.states = states;
  for (auto& layer : decoder_) encoded.memory.push_back(layer->prepare_source(states, padding));
  return encoded;
}

DecoderState TransformerImpl::start(const EncodedSource&) const {
  DecoderState state;
  state.self_attention_cache.resize(decoder_.size());
  return state;
}

/// tokens [N, T]: one step if T is 1, teacher forcing if T is the sentence length.
DecoderStep TransformerImpl::advance(const torch::Tensor& tokens, DecoderState& state,
                                     const std::vector<AttentionMemory>& memory) {
  auto states = embed(emb_dec_, tokens, state.position);  // [N, T, H]
  state.position += tokens.size(1);
  DecoderStep step;
  for (size_t i = 0; i < decoder_.size(); ++i) {
    if (skips_layer()) continue;
    const auto output = decoder_[i]->decode(states, state.self_attention_cache[i], memory[i]);
    states = output.states;
    step.attention = output.weights;  // [N, T, S]
  }
  step.attentional_hidden = norm_dec_ ? norm_dec_(states) : states;
  return step;
}

DecoderStep TransformerImpl::step(const torch::Tensor& tokens, DecoderState& state,
                                  const std::vector<AttentionMemory>& memory) {
  const auto step = advance(tokens.unsqueeze(1), state, memory);
  // Undefined if layer dropout skipped every layer.
  const auto& attention = step.attention;
  return {step.attentional_hidden.squeeze(1),
          attention.defined() ? attention.squeeze(1) : attention,
          {}};
}

DecoderSteps TransformerImpl::force(const torch::Tensor& source, const torch::Tensor& lengths,
                                    const torch::Tensor& target_input) {
  const auto encoded = encode(source, lengths);
  auto state = start(encoded);
  const auto steps = advance(target_input, state, encoded.memory);
  return {steps.attentional_hidden, steps.attention};
}

}  // namespace nmt
