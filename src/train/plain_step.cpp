#include "train/plain_step.h"

#include <cmath>

#include "train/optimizer.h"

namespace nmt {

PlainStep::PlainStep(const Seq2Seq& model, const TrainConfig& config, int threads)
    : clip_norm_(config.clip_norm),
      label_smoothing_(config.label_smoothing),
      gradients_(model, threads),
      parameters_(unique_parameters(*model)),
      optimizer_(make_optimizer(parameters_, config)) {}

double PlainStep::add_gradient(const Batch& batch, double scale) {
  return gradients_.add(batch, label_smoothing_, scale);
}

double PlainStep::update(double learning_rate) {
  set_learning_rate(*optimizer_, learning_rate);
  const double norm = clip_gradients(parameters_, clip_norm_);
  if (std::isfinite(norm)) optimizer_->step();
  optimizer_->zero_grad();
  return norm;
}

}  // namespace nmt
