#pragma once

#include "data/batch.h"
#include "nn/loss.h"
#include "nn/seq2seq.h"

namespace nmt {

/// Teacher-forced loss of a batch, summed over its real target tokens. The output layer, the
/// costliest part, never sees padding.
TokenLoss batch_loss(Seq2Seq& model, const Batch& batch, double label_smoothing);

}  // namespace nmt
