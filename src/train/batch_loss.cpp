#include "train/batch_loss.h"

#include <ATen/ATen.h>

#include "text/special_tokens.h"

namespace nmt {

TokenLoss batch_loss(Seq2Seq& model, const Batch& batch, double label_smoothing) {
  const auto attentional = model(batch.source, batch.source_lengths, batch.target_input);
  const auto target = batch.target_output.reshape(-1);                  // [B·T]
  const auto real = (target != kPadId).nonzero().squeeze(1);            // [M]
  const auto states = attentional.flatten(0, 1).index_select(0, real);  // [M, H]
  const auto log_probabilities = model->log_probabilities(states);      // [M, V]
  return token_loss(log_probabilities, target.index_select(0, real), label_smoothing);
}

}  // namespace nmt
