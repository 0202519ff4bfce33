#include "nn/recurrent_seq2seq.h"

#include <ATen/ATen.h>

#include "config/layers.h"
#include "nn/cuda/decoder_step.h"
#include "nn/cuda/device_operations.h"
#include "nn/cuda/forced_decoder.h"
#include "nn/dropout.h"

namespace nmt {

RecurrentSeq2SeqImpl::RecurrentSeq2SeqImpl(const Seq2SeqOptions& options)
    : Seq2SeqImpl(options), dropout_(dropout_rates(options)) {
  const int64_t hidden = options.hidden_size;
  encoder_ = register_module("encoder", Encoder(options));
  decoder_rnn_ = RecurrentStack(
      recurrent_options(options, options.embedding_size + (options.input_feeding ? hidden : 0)));
  register_module("decoder", Decoder(decoder_rnn_));
  attn_ =
      register_module("attn", make_attention({options.attention, hidden, options.heads,
                                              options.attention_temperature, options.coverage}));
  const int64_t context = options.attention == &none_attention() ? 0 : hidden;
  first_state_ = register_module("bridge", FirstState(options));
  concat_ = register_module("concat", torch::nn::Linear(hidden + context, hidden));
  add_generator();
  if (options.layer_norm) {
    norm_src_ = register_module("norm_src", torch::nn::LayerNorm(std::vector<int64_t>{hidden}));
    norm_dec_ = register_module("norm_dec", torch::nn::LayerNorm(std::vector<int64_t>{hidden}));
  }
}

torch::Tensor RecurrentSeq2SeqImpl::embed(torch::nn::Embedding& embedding,
                                          const torch::Tensor& tokens,
                                          torch::Tensor& dropout_mask) {
  const auto embedded = drop_words(embedding(tokens), options().word_dropout, is_training());
  return drop(embedded, dropout_.embedding, dropout_mask);
}

EncodedSource RecurrentSeq2SeqImpl::encode(const torch::Tensor& source,
                                           const torch::Tensor& lengths) {
  torch::Tensor dropout_mask;
  auto encoded = encoder_(embed(emb_src_, source, dropout_mask), lengths);  // [B, S, H]
  const auto mask = padding_mask(lengths, source.size(1))
                        .to(source.device(), /*non_blocking=*/true);  // [B, 1, S]
  const auto states = norm_src_ ? norm_src_(encoded.states) : encoded.states;
  auto memory = attn_->prepare(states, mask);
  if (decodes_with_kernels(states)) {
    memory.lengths = lengths.to(source.device(), /*non_blocking=*/true);
  }
  return {{memory}, first_state_(encoded, lengths), states};
}

DecoderState RecurrentSeq2SeqImpl::start(const EncodedSource& encoded) const {
  const auto& hidden = encoded.first_state.hidden;
  DecoderState state;
  state.recurrent = encoded.first_state;
  state.attentional_hidden = torch::zeros({hidden.size(1), hidden.size(2)}, hidden.options());
  if (options().coverage) {
    state.coverage = torch::zeros({hidden.size(1), encoded.states.size(1)}, hidden.options());
  }
  return state;
}

/// input [N, T, I] -> h [N, T, H]
torch::Tensor RecurrentSeq2SeqImpl::decode(const torch::Tensor& input, RecurrentState& state) {
  const auto output = decoder_rnn_->forward(input, state);
  return norm_dec_ ? norm_dec_(output) : output;
}

AttentionOutput RecurrentSeq2SeqImpl::attend(const torch::Tensor& decoder_states,
                                             const AttentionMemory& memory,
                                             torch::Tensor& attentional_hidden,
                                             torch::Tensor& dropout_mask) {
  auto output = attn_->forward(decoder_states, memory);  // context [B, Q, H]
  const auto joined = output.context.defined()
                          ? torch::cat({decoder_states, output.context}, -1)  // [B, Q, 2H]
                          : decoder_states;
  attentional_hidden = drop(torch::tanh(concat_(joined)), dropout_.output, dropout_mask);
  return output;
}

DecoderStep RecurrentSeq2SeqImpl::step_embedded(const torch::Tensor& embedded, DecoderState& state,
                                                const AttentionMemory& memory) {
  const int64_t rows = embedded.size(0);
  const int64_t sentences = memory.values.size(0);
  const auto input = options().input_feeding ? torch::cat({embedded, state.attentional_hidden}, -1)
                                             : embedded;            // [N, E(+H)]
  const auto output = decode(input.unsqueeze(1), state.recurrent);  // [N, 1, H]
  ++state.position;
  auto seen = memory;
  if (options().attention->uses_step) {
    seen.steps = torch::full({1}, state.position, memory.values.options().dtype(torch::kFloat));
  }
  if (state.coverage.defined()) {
    seen.coverage = state.coverage.view({sentences, rows / sentences, -1});  // [B, K, S]
  }
  torch::Tensor attentional_hidden;  // [B, K, H]
  const auto attention = attend(output.view({sentences, rows / sentences, -1}), seen,
                                attentional_hidden, state.output_mask);
  state.attentional_hidden = attentional_hidden.view({rows, -1});  // [N, H]
  auto weights = attention.weights;
  if (weights.defined()) weights = weights.view({rows, -1});  // [N, S]
  if (state.coverage.defined()) state.coverage = state.coverage + weights;
  return {state.attentional_hidden, weights, output.squeeze(1)};
}

DecoderStep RecurrentSeq2SeqImpl::step(const torch::Tensor& tokens, DecoderState& state,
                                       const std::vector<AttentionMemory>& memory) {
  const auto& source = memory.front();
  const auto& embeddings = emb_dec_->weight;
  const bool translates = !is_training() && !at::GradMode::is_enabled();
  if (translates && source.lengths.defined() &&
      source.keys.scalar_type() == embeddings.scalar_type()) {  // no autocast
    return step_with_kernels(embeddings.index_select(0, tokens), state, source);
  }
  const auto embedded =
      embed(emb_dec_, tokens.unsqueeze(1), state.input_mask).squeeze(1);  // [N, E]
  return step_embedded(embedded, state, source);
}

DecoderStep RecurrentSeq2SeqImpl::step_with_kernels(const torch::Tensor& embedded,
                                                    DecoderState& state,
                                                    const AttentionMemory& memory) const {
  DecoderStepWeights weights;
  for (int64_t l = 0; l < num_decoder_layers(options()); ++l) {
    const auto cell = decoder_rnn_->cell_of(l, 0);
    weights.layers.push_back({cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh});
  }
  weights.attention_weight = attention_weight();
  weights.attention_scale = 1.0 / options().attention_temperature;
  weights.concat_weight = concat_->weight;
  weights.concat_bias = concat_->bias;
  const auto step = decoder_step(
      weights, {embedded, state.attentional_hidden.contiguous(),
                state.recurrent.hidden.contiguous(), memory.keys.contiguous(), memory.lengths});
  state.recurrent.hidden = step.hidden;
  state.attentional_hidden = step.attentional_hidden;
  ++state.position;
  return {step.attentional_hidden, step.attention, step.hidden[-1]};
}

/// Of general attention; otherwise undefined.
torch::Tensor RecurrentSeq2SeqImpl::attention_weight() const {
  const bool has_weight = options().attention == &general_attention();
  return has_weight ? attn_->matrix("linear") : torch::Tensor();
}

bool RecurrentSeq2SeqImpl::decodes_with_kernels(const torch::Tensor& states) const {
  const auto& model = options();
  const auto* attention = model.attention;
  const bool is_plain_gru = model.cell == Cell::kGru && !model.residual && !model.cell_layer_norm &&
                            (model.state_dropout == 0 || !is_training()) && !norm_dec_;
  const bool has_kernel = attention == &general_attention() || attention == &dot_attention();
  constexpr int64_t kVector = 8;            // numbers of a row that a thread reads at once, at most
  constexpr int64_t kSharedFloats = 12000;  // of a query and its scores: a block's shared memory
  return is_plain_gru && has_kernel && model.input_feeding && !model.coverage &&
         model.hidden_size % kVector == 0 && model.hidden_size + states.size(1) <= kSharedFloats &&
         has_step_operations(states);
}

DecoderSteps RecurrentSeq2SeqImpl::force_with_kernels(const EncodedSource& encoded,
                                                      const torch::Tensor& embedded) {
  const int64_t hidden = options().hidden_size;
  const int64_t width = embedded.size(2);
  const int64_t layers = num_decoder_layers(options());
  const auto first = decoder_rnn_->cell_of(0, 0);
  std::vector<torch::Tensor> recurrent = {first.weight_ih.narrow(1, width, hidden)};
  std::vector<torch::Tensor> hidden_bias, weight_ih, bias_ih, masks;
  for (int64_t l = 0; l < layers; ++l) {
    const auto cell = decoder_rnn_->cell_of(l, 0);
    recurrent.push_back(cell.weight_hh);
    hidden_bias.push_back(cell.bias_hh);
    if (l == 0) continue;
    weight_ih.push_back(cell.weight_ih);
    bias_ih.push_back(cell.bias_ih);
  }
  ForcedDecoderInput input;
  input.embedded = at::linear(embedded, first.weight_ih.narrow(1, 0, width), first.bias_ih);
  input.first = encoded.first_state.hidden;
  input.states = encoded.states;
  input.lengths = encoded.memory.front().lengths;
  input.recurrent = torch::stack(recurrent);
  input.hidden_bias = torch::stack(hidden_bias);
  input.attention_weight = attention_weight();
  input.attention_scale = 1.0 / options().attention_temperature;
  input.concat_weight = concat_->weight;
  input.concat_bias = concat_->bias;
  const auto dropout_mask = [&](double rate) {  // [B, T, H]
    torch::Tensor of_sentences;
    return drop(torch::ones_like(input.embedded.narrow(2, 0, hidden)), rate, of_sentences);
  };
  if (layers > 1) {
    input.input = torch::stack(weight_ih);
    input.input_bias = torch::stack(bias_ih);
    if (is_training() && dropout_.recurrent > 0) {
      for (int64_t l = 1; l < layers; ++l) masks.push_back(dropout_mask(dropout_.recurrent));
      input.layer_masks = torch::stack(masks);
    }
  }
  if (is_training() && dropout_.output > 0) {
    input.output_mask = dropout_mask(dropout_.output);
  }
  const auto steps = forced_decoder(input);
  return {steps.attentional_hidden, steps.attention};
}

DecoderSteps RecurrentSeq2SeqImpl::force(const torch::Tensor& source, const torch::Tensor& lengths,
                                         const torch::Tensor& target_input) {
  const auto encoded = encode(source, lengths);
  const auto& memory = encoded.memory.front();
  auto state = start(encoded);
  const auto embedded = embed(emb_dec_, target_input, state.input_mask);  // [B, T, E]
  if (decodes_with_kernels(encoded.states)) return force_with_kernels(encoded, embedded);
  if (!options().input_feeding && !options().coverage) {
    // Without dependence on the previous step's attention, all steps run in one call.
    DecoderSteps steps;
    const auto hidden = decode(embedded, state.recurrent);
    steps.attention = attend(hidden, memory, steps.attentional_hidden, state.output_mask).weights;
    return steps;
  }
  std::vector<torch::Tensor> attentional_hidden, attention;
  for (const auto& token : embedded.unbind(1)) {  // [B, E]
    const auto step = step_embedded(token, state, memory);
    attentional_hidden.push_back(step.attentional_hidden);
    if (step.attention.defined()) attention.push_back(step.attention);
  }
  return {torch::stack(attentional_hidden, 1),
          attention.empty() ? torch::Tensor() : torch::stack(attention, 1)};
}

}  // namespace nmt
