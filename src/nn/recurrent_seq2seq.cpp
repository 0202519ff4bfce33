#include "nn/recurrent_seq2seq.h"

#include <ATen/ATen.h>

#include "nn/embeddings.h"

namespace nmt {
RecurrentSeq2SeqImpl::RecurrentSeq2SeqImpl(const Seq2SeqOptions& options)
    : Seq2SeqImpl(options), dropout_(dropout_rates(options)) {
  const bool tied = options.tied_embeddings != TiedEmbeddings::kNone;
  const bool three_way = options.tied_embeddings == TiedEmbeddings::kAll;
  const int64_t hidden = options.hidden_size;
  emb_src_ = register_module("emb_src",
                             make_embedding(options.source_vocabulary_size, options, three_way));
  emb_dec_ = register_module(
      "emb_dec",
      three_way ? emb_src_ : make_embedding(options.target_vocabulary_size, options, tied));
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
  add_generator(tied ? emb_dec_->weight : torch::Tensor());
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
  return {{attn_->remember(states, mask)}, first_state_(encoded, lengths), states};
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
  const auto embedded =
      embed(emb_dec_, tokens.unsqueeze(1), state.input_mask).squeeze(1);  // [N, E]
  return step_embedded(embedded, state, memory.front());
}

DecoderSteps RecurrentSeq2SeqImpl::force(const torch::Tensor& source, const torch::Tensor& lengths,
                                         const torch::Tensor& target_input) {
  const auto encoded = encode(source, lengths);
  const auto& memory = encoded.memory.front();
  auto state = start(encoded);
  const auto embedded = embed(emb_dec_, target_input, state.input_mask);  // [B, T, E]
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
