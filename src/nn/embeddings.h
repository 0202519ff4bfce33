#pragma once

#include <torch/nn/modules/embedding.h>

#include "nn/seq2seq_options.h"

namespace nmt {

/// Embeddings with their initial values. With `unit_norm`, the rows start with a norm of about 1:
/// for a matrix that is also the output layer, so that logits have that magnitude, and for the
/// Transformer.
torch::nn::Embedding make_embedding(int64_t vocabulary_size, const Seq2SeqOptions& options,
                                    bool unit_norm);

/// Word dropout (Sennrich, Haddow and Birch 2016, WMT, section 2.4): whole tokens of
/// embedded [B, T, E] become 0 with `probability` p; the others are scaled by 1/(1 − p).
torch::Tensor drop_words(const torch::Tensor& embedded, double probability, bool is_training);

}  // namespace nmt
