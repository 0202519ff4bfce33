#include "train/fused_step.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "decode/fused_model.h"
#include "train/batch_shares.h"

namespace nmt {

namespace {

FusedSeq2SeqOptions options_of(const Seq2Seq& model, const TrainConfig& config) {
  auto options = fused_options(model->options());
  if (config.precision == "bfloat16") options.precision = ProductPrecision::kBfloat16;
  return options;
}

}  // namespace

FusedStep::FusedStep(const Seq2Seq& model, const TrainConfig& config, int threads)
    : label_smoothing_(config.label_smoothing),
      dropout_(model->options().dropout),
      seed_(static_cast<uint64_t>(config.seed)),
      team_(threads),
      parameters_(model),
      gradient_(options_of(model, config),
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
