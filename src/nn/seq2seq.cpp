#include "nn/seq2seq.h"

#include <ATen/ATen.h>
#include <torch/nn/init.h>

#include <cmath>
#include <unordered_set>

namespace nmt {
namespace {

// The reference's state_dict has the decoder's stack as decoder.rnn; the module has nothing else.
class DecoderImpl : public torch::nn::Module {
 public:
  explicit DecoderImpl(const RecurrentStack& rnn) { register_module("rnn", rnn); }
};
TORCH_MODULE(Decoder);

// A matrix that is the output layer too starts with rows of length about 1, for logits of that
// size.
torch::nn::Embedding make_embedding(int64_t vocabulary_size, const Seq2SeqOptions& options,
                                    bool is_output) {
  torch::nn::Embedding embedding(vocabulary_size, options.embedding_size);
  const double deviation = is_output ? 1.0 / std::sqrt(static_cast<double>(options.embedding_size))
                                     : options.embedding_deviation;
  torch::nn::init::normal_(embedding->weight, 0.0, deviation);
  return embedding;
}

RecurrentOptions decoder_options(const Seq2SeqOptions& options) {
  RecurrentOptions recurrent;
  recurrent.cell = options.cell;
  recurrent.input_size = options.embedding_size + (options.input_feeding ? options.hidden_size : 0);
  recurrent.hidden_size = options.hidden_size;
  recurrent.num_layers = options.num_layers;
  recurrent.dropout = options.dropout;
  return recurrent;
}

}  // namespace

Seq2SeqImpl::Seq2SeqImpl(const Seq2SeqOptions& options) : options_(options) {
  const bool tied = options.tied_embeddings != TiedEmbeddings::kNone;
  const bool three_way = options.tied_embeddings == TiedEmbeddings::kAll;
  const int64_t hidden = options.hidden_size;
  TORCH_CHECK(!tied || options.embedding_size == hidden,
              "tied embeddings need embedding_size == hidden_size");
  TORCH_CHECK(!three_way || options.source_vocabulary_size == options.target_vocabulary_size,
              "three-way tied embeddings need one vocabulary");
  emb_src_ = register_module("emb_src",
                             make_embedding(options.source_vocabulary_size, options, three_way));
  emb_dec_ = register_module(
      "emb_dec",
      three_way ? emb_src_ : make_embedding(options.target_vocabulary_size, options, tied));
  encoder_ = register_module("encoder", Encoder(options.cell, options.embedding_size, hidden,
                                                options.num_layers, options.dropout));
  decoder_rnn_ = RecurrentStack(decoder_options(options));
  register_module("decoder", Decoder(decoder_rnn_));
  attn_ = register_module("attn", GeneralAttention(hidden));
  concat_ = register_module("concat", torch::nn::Linear(2 * hidden, hidden));
  generator_ = register_module("generator", Generator(hidden, options.target_vocabulary_size,
                                                      tied ? emb_dec_->weight : torch::Tensor()));
  dropout_ = register_module("dropout", torch::nn::Dropout(options.dropout));
}

EncodedSource Seq2SeqImpl::encode(const torch::Tensor& source, const torch::Tensor& lengths) {
  const auto embedded = dropout_(emb_src_(source));  // [B, S, E]
  auto encoded = encoder_(embedded, lengths);
  auto padding = padding_mask(lengths, source.size(1)).to(source.device());  // [B, S]
  return {{std::move(encoded.states), std::move(padding)}, std::move(encoded.final_state)};
}

DecoderState Seq2SeqImpl::start(const EncodedSource& encoded) const {
  const auto& hidden = encoded.final_state.hidden;
  return {encoded.final_state, torch::zeros({hidden.size(1), hidden.size(2)}, hidden.options())};
}

AttentionOutput Seq2SeqImpl::attend(const torch::Tensor& decoder_states,
                                    const AttentionMemory& memory, torch::Tensor& attentional) {
  auto output = attn_(decoder_states, memory);                           // [B, Q, H]
  const auto joined = torch::cat({decoder_states, output.context}, -1);  // [B, Q, 2H]
  attentional = dropout_(torch::tanh(concat_(joined)));                  // [B, Q, H]
  return output;
}

DecoderStep Seq2SeqImpl::step_embedded(const torch::Tensor& embedded, DecoderState& state,
                                       const AttentionMemory& memory) {
  const int64_t rows = embedded.size(0);
  const int64_t sentences = memory.values.size(0);
  const auto input = options_.input_feeding ? torch::cat({embedded, state.attentional}, -1)
                                            : embedded;                            // [N, E(+H)]
  const auto output = decoder_rnn_->forward(input.unsqueeze(1), state.recurrent);  // [N, 1, H]
  torch::Tensor attentional;
  const auto attention =
      attend(output.view({sentences, rows / sentences, -1}), memory, attentional);
  state.attentional = attentional.view({rows, -1});  // [N, H]
  return {state.attentional, attention.weights.view({rows, -1})};
}

DecoderStep Seq2SeqImpl::step(const torch::Tensor& tokens, DecoderState& state,
                              const AttentionMemory& memory) {
  return step_embedded(dropout_(emb_dec_(tokens)), state, memory);
}

torch::Tensor Seq2SeqImpl::forward(const torch::Tensor& source, const torch::Tensor& lengths,
                                   const torch::Tensor& target_input) {
  const auto encoded = encode(source, lengths);
  auto state = start(encoded);
  const auto embedded = dropout_(emb_dec_(target_input));  // [B, T, E]
  if (!options_.input_feeding) {
    // No step waits for the attention of the one before: all are one call.
    torch::Tensor attentional;
    attend(decoder_rnn_->forward(embedded, state.recurrent), encoded.memory, attentional);
    return attentional;  // [B, T, H]
  }
  std::vector<torch::Tensor> attentional;
  for (const auto& token : embedded.unbind(1)) {  // [B, E]
    attentional.push_back(step_embedded(token, state, encoded.memory).attentional);
  }
  return torch::stack(attentional, 1);  // [B, T, H]
}

torch::Tensor Seq2SeqImpl::log_probabilities(const torch::Tensor& attentional) {
  return generator_(attentional);
}

std::vector<torch::Tensor> unique_parameters(const torch::nn::Module& model) {
  std::vector<torch::Tensor> parameters;
  std::unordered_set<const void*> seen;
  for (const auto& parameter : model.parameters()) {
    if (seen.insert(parameter.unsafeGetTensorImpl()).second) parameters.push_back(parameter);
  }
  return parameters;
}

int64_t count_parameters(const torch::nn::Module& model) {
  int64_t count = 0;
  for (const auto& parameter : unique_parameters(model)) count += parameter.numel();
  return count;
}

}  // namespace nmt
