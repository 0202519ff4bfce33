#include "nn/language_model.h"

#include <ATen/ATen.h>

#include "nn/dropout.h"

namespace nmt {

LanguageModelImpl::LanguageModelImpl(const Seq2SeqOptions& options)
    : Seq2SeqImpl(options), dropout_(dropout_rates(options)) {
  rnn_ = RecurrentStack(recurrent_options(options, options.embedding_size));
  register_module("decoder", Decoder(rnn_));
  add_generator();
}

EncodedSource LanguageModelImpl::encode(const torch::Tensor& source, const torch::Tensor&) {
  EncodedSource encoded;
  encoded.first_state = rnn_->zero_state(source.size(0));  // [L, B, H]
  return encoded;
}

DecoderState LanguageModelImpl::start(const EncodedSource& encoded) const {
  DecoderState state;
  state.recurrent = encoded.first_state;
  return state;
}

/// tokens [N, T] -> [N, T, H]
torch::Tensor LanguageModelImpl::advance(const torch::Tensor& tokens, DecoderState& state) {
  const auto embedded = drop_words(emb_dec_(tokens), options().word_dropout, is_training());
  const auto input = drop(embedded, dropout_.embedding, state.input_mask);
  return drop(rnn_->forward(input, state.recurrent), dropout_.output, state.output_mask);
}

DecoderStep LanguageModelImpl::step(const torch::Tensor& tokens, DecoderState& state,
                                    const std::vector<AttentionMemory>&) {
  return {advance(tokens.unsqueeze(1), state).squeeze(1), {}, {}};
}

DecoderSteps LanguageModelImpl::force(const torch::Tensor& source, const torch::Tensor& lengths,
                                      const torch::Tensor& target_input) {
  auto state = start(encode(source, lengths));
  return {advance(target_input, state), {}};
}

}  // namespace nmt
