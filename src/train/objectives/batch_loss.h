#pragma once

#include "data/batch.h"
#include "nn/loss.h"
#include "nn/seq2seq.h"

namespace nmt {

/// Predictions of a batch's M real target tokens by teacher forcing, sentence by sentence.
struct TokenPredictions {
  torch::Tensor log_probabilities;  // [M, V]
  torch::Tensor targets;            // [M] int64
};

/// The output layer, the costliest part, never sees padding.
TokenPredictions predict_tokens(Seq2Seq& model, const Batch& batch);

/// Teacher-forced loss of a batch, summed over its real target tokens.
TokenLoss batch_loss(Seq2Seq& model, const Batch& batch, double label_smoothing);

}  // namespace nmt
