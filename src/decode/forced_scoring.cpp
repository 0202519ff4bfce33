#include "decode/forced_scoring.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <cmath>

#include "text/special_tokens.h"

namespace nmt {
namespace {

/// log p(y_t | y_<t, x) of the target's tokens, [B, T].
torch::Tensor log_probabilities_of_target(Seq2Seq& model, const Batch& batch) {
  const auto steps = model->force(batch.source, batch.source_lengths, batch.target_input);
  const auto log_probabilities = model->log_probabilities(steps, batch.source);  // [B, T, V]
  const auto chosen = log_probabilities.gather(2, batch.target_output.unsqueeze(2)).squeeze(2);
  return chosen.to(torch::kDouble);
}

std::vector<double> sums_of_targets(const torch::Tensor& log_probabilities, const Batch& batch) {
  const auto real = batch.target_output != kPadId;  // [B, T]
  const auto sums = log_probabilities.masked_fill(real.logical_not(), 0.0).sum(1).cpu();
  return {sums.data_ptr<double>(), sums.data_ptr<double>() + sums.numel()};
}

}  // namespace

std::vector<double> score_batch(Seq2Seq& model, const Batch& batch) {
  const c10::InferenceMode no_gradients;
  return sums_of_targets(log_probabilities_of_target(model, batch), batch);
}

std::vector<double> score_batch(std::vector<Seq2Seq>& ensemble, const std::vector<double>& weights,
                                const Batch& batch) {
  const c10::InferenceMode no_gradients;
  std::vector<torch::Tensor> weighted;
  for (size_t m = 0; m < ensemble.size(); ++m) {
    weighted.push_back(log_probabilities_of_target(ensemble[m], batch) + std::log(weights[m]));
  }
  return sums_of_targets(at::logsumexp(torch::stack(weighted), 0), batch);
}

}  // namespace nmt
