#pragma once

#include "config/dropout_rates.h"
#include "nn/seq2seq.h"

namespace nmt {

/// A recurrent language model (Mikolov et al. 2010): the decoder of the translation model without a
/// source.
///
///   s_t = GRU(emb_dec(y_{t−1}), s_{t−1})      s_0 = 0, y_0 = BOS      h̃_t: output of the top layer
///
/// Training, files and search treat it as a translator that ignores its source.
class LanguageModelImpl : public Seq2SeqImpl {
 public:
  explicit LanguageModelImpl(const Seq2SeqOptions& options);

  EncodedSource encode(const torch::Tensor& source, const torch::Tensor& lengths) override;
  DecoderState start(const EncodedSource& encoded) const override;
  DecoderStep step(const torch::Tensor& tokens, DecoderState& state,
                   const std::vector<AttentionMemory>& memory) override;
  DecoderSteps force(const torch::Tensor& source, const torch::Tensor& lengths,
                     const torch::Tensor& target_input) override;

 private:
  torch::Tensor advance(const torch::Tensor& tokens, DecoderState& state);

  RecurrentStack rnn_{nullptr};
  DropoutRates dropout_;
};

}  // namespace nmt
