#include "train/fused_step.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "train/batch_shares.h"

namespace nmt {

FusedSeq2SeqOptions fused_options(const Seq2SeqOptions& options, const TrainConfig& config) {
  FusedSeq2SeqOptions fused;
  fused.cell = options.cell == Cell::kGru ? RecurrentCell::kGru : RecurrentCell::kLstm;
  fused.num_layers = options.num_layers;
  fused.input_feeding = options.input_feeding;
  if (config.precision == "bfloat16") fused.precision = ProductPrecision::kBfloat16;
  return fused;
}

FusedStep::FusedStep(const Seq2Seq& model, const TrainConfig& config, int threads)
    : label_smoothing_(config.label_smoothing),
      dropout_(model->options().dropout),
      seed_(static_cast<uint64_t>(config.seed)),
      team_(threads),
      parameters_(model),
      gradient_(fused_options(model->options(), config),
                parameters_.table(gradient_buffer_.take_zeros(1, parameters_.size()).data), team_),
      optimizer_(config, parameters_.size()) {}

double FusedStep::add_gradient(const Batch& batch, double scale) {
  const int64_t count = std::min<int64_t>(team_.size(), batch.source.size(0));
  std::vector<PackedBatch> shares;
  std::vector<Dropout> dropouts;
  for (int64_t share = 0; share < count; ++share) {
    shares.push_back(pack_batch(pairs_of_share(batch, share, count)));
    const auto place =
        batches_seen_ * static_cast<uint64_t>(team_.size()) + static_cast<uint64_t>(share);
    dropouts.push_back({dropout_, (seed_ << 40) ^ place});
  }
  ++batches_seen_;
  return gradient_.add(shares, label_smoothing_, scale, dropouts);
}

double FusedStep::update(double learning_rate) {
  return optimizer_.step(learning_rate, parameters_.data(), gradient_buffer_.matrix().data, team_);
}

}  // namespace nmt
