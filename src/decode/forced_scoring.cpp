#include "decode/forced_scoring.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <cmath>

#include "text/special_tokens.h"

namespace nmt {

std::vector<double> score_batch(Seq2Seq& model, const Batch& batch) {
  std::vector<Seq2Seq> alone = {model};
  return score_batch(alone, {1.0}, batch);
}

std::vector<double> score_batch(std::vector<Seq2Seq>& ensemble, const std::vector<double>& weights,
                                const Batch& batch) {
  const c10::InferenceMode no_gradients;
  std::vector<torch::Tensor> weighted;
  for (size_t m = 0; m < ensemble.size(); ++m) {
    auto& model = ensemble[m];
    const auto steps = model->force(batch.source, batch.source_lengths, batch.target_input);
    const auto all = model->log_probabilities(steps, batch.source);  // [B, T, V]
    const auto own = all.gather(2, batch.target_output.unsqueeze(2)).squeeze(2);
    weighted.push_back(own.to(torch::kDouble) + std::log(weights[m]));
  }
  const auto log_probabilities = at::logsumexp(torch::stack(weighted), 0);  // [B, T]
  const auto is_padding = batch.target_output == kPadId;
  const auto sums = log_probabilities.masked_fill(is_padding, 0.0).sum(1).cpu();
  return {sums.data_ptr<double>(), sums.data_ptr<double>() + sums.numel()};
}

}  // namespace nmt
