#include "train/fused_step.h"

#include <ATen/ATen.h>

#include "kernels/matrix_product.h"
#include "train/batch_shares.h"

namespace nmt {

FusedSeq2SeqOptions fused_options(const Seq2SeqOptions& options) {
  FusedSeq2SeqOptions fused;
  fused.cell = options.cell == Cell::kGru ? RecurrentCell::kGru : RecurrentCell::kLstm;
  fused.num_layers = options.num_layers;
  fused.input_feeding = options.input_feeding;
  return fused;
}

FusedStep::FusedStep(const Seq2Seq& model, const TrainConfig& config, int threads)
    : label_smoothing_(config.label_smoothing),
      dropout_(model->options().dropout),
      seed_(static_cast<uint64_t>(config.seed)),
      team_(threads),
      parameters_(model),
      gradients_(static_cast<size_t>(threads)),
      optimizer_(config, parameters_.size()) {
  for (auto& gradient : gradients_) {
    gradient_data_.push_back(gradient.take_zeros(1, parameters_.size()).data);
    models_.push_back(std::make_unique<FusedSeq2Seq>(fused_options(model->options()),
                                                     parameters_.table(gradient_data_.back())));
  }
}

double FusedStep::add_gradient(const Batch& batch, double scale) {
  const auto shares = std::min(static_cast<int64_t>(models_.size()), batch.source.size(0));
  std::vector<double> losses(models_.size());
  team_.run([&](int member) {
    if (member >= shares) return;
    compute_products_alone();
    const auto packed = pack_batch(pairs_of_share(batch, member, shares));
    const uint64_t share_seed = (batches_seen_ * models_.size() + static_cast<uint64_t>(member));
    const Dropout dropout{dropout_, (seed_ << 40) ^ share_seed};
    losses[static_cast<size_t>(member)] = models_[static_cast<size_t>(member)]->add_gradient(
        packed, label_smoothing_, scale, dropout);
  });
  ++batches_seen_;
  double sum = 0.0;
  for (const double loss : losses) sum += loss;
  return sum;
}

double FusedStep::update(double learning_rate) {
  return optimizer_.step(learning_rate, parameters_.data(), gradient_data_, team_);
}

}  // namespace nmt
