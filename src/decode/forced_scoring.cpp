#include "decode/forced_scoring.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "text/special_tokens.h"

namespace nmt {

std::vector<double> score_batch(Seq2Seq& model, const Batch& batch) {
  const c10::InferenceMode no_gradients;
  const auto attentional_hidden = model(batch.source, batch.source_lengths, batch.target_input);
  const auto log_probabilities = model->log_probabilities(attentional_hidden);  // [B, T, V]
  const auto chosen = log_probabilities.gather(2, batch.target_output.unsqueeze(2)).squeeze(2);
  const auto real = batch.target_output != kPadId;  // [B, T]
  const auto sums = chosen.to(torch::kDouble).masked_fill(real.logical_not(), 0.0).sum(1).cpu();
  return {sums.data_ptr<double>(), sums.data_ptr<double>() + sums.numel()};
}

}  // namespace nmt
