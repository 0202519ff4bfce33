#include "train/steps/fused_step.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <string>
#include <utility>

#include "train/steps/named_parameters.h"

namespace nmt {

namespace {

FusedOptions options_of(const Seq2Seq& model, const TrainConfig& config) {
  FusedOptions options{model->options()};
  if (config.precision == TrainingPrecision::kBfloat16)
    options.precision = ProductPrecision::kBfloat16;
  return options;
}

}  // namespace

FusedStep::FusedStep(const Seq2Seq& model, const TrainConfig& config,
                     std::unique_ptr<Objective> objective, int threads, ProcessGroup* group)
    : TrainingStep(model, std::move(objective)),
      options_(model->options()),
      seed_(static_cast<uint64_t>(config.seed)),
      team_(threads),
      parameters_(models_),
      gradient_(options_of(model, config),
                parameters_.table(gradient_buffer_->take_zeros(1, parameters_.size()).data), team_),
      optimizer_(config, parameters_.rate_segments(rate_factors(config))) {
  if (!auxiliary_.is_empty()) {
    auxiliary_gradient_ = std::make_unique<FusedGradient>(
        options_of(auxiliary_, config), parameters_.table(gradient_buffer_->matrix().data, 1),
        team_);
  }
  if (group != nullptr && group->size() > 1) set_up_exchange(*group, config.gradient_compression);
}

void FusedStep::set_up_exchange(ProcessGroup& group, GradientCompression compression) {
  rank_ = static_cast<uint64_t>(group.rank());
  processes_ = static_cast<uint64_t>(group.size());
  segments_ = parameters_.gradient_segments();
  for (auto& segment : segments_) {
    // Dense if the rows with a gradient are not known beforehand, and in an auxiliary model.
    if (segment.model > 0 ||
        (objective_->feeds_other_tokens() && segment.part == GradientPart::kDecoder)) {
      segment.sparse_embedding.clear();
    }
  }
  std::vector<GradientExchange::Bucket> buckets;
  for (const auto& segment : segments_) {
    float* begin = gradient_buffer_->matrix().data + segment.offset;
    const bool sparse_rows = !segment.sparse_embedding.empty();
    const std::vector<int64_t> shape =
        sparse_rows ? std::vector<int64_t>{segment.rows, segment.size / segment.rows}
                    : std::vector<int64_t>{segment.size};
    // Transfers share ownership of the memory and may outlive this object.
    buckets.push_back(
        {at::from_blob(begin, shape, [memory = gradient_buffer_](void*) {}), sparse_rows});
  }
  exchange_ = std::make_unique<GradientExchange>(group, std::move(buckets), compression);
}

void FusedStep::announce_sparse_rows(const std::vector<Batch>& batches) {
  for (size_t bucket = 0; bucket < segments_.size(); ++bucket) {
    const auto& name = segments_[bucket].sparse_embedding;
    if (name.empty()) continue;
    const bool of_source = gradient_part_of(name) == GradientPart::kEncoder;
    for (const auto& batch : batches) {
      exchange_->add_sparse_rows(bucket, of_source ? batch.source : batch.target_input);
    }
  }
}

void FusedStep::complete(GradientPart part) {
  for (size_t bucket = 0; bucket < segments_.size(); ++bucket) {
    const auto& segment = segments_[bucket];
    if (segment.model == 0 && segment.part == part) exchange_->complete(bucket);
  }
}

DeferredNumber FusedStep::accumulate_gradient(const Batch& batch, double scale) {
  const int64_t count = std::min<int64_t>(team_.size(), batch.source.size(0));
  std::vector<Dropout> dropouts;
  for (int64_t share = 0; share < count; ++share) {
    const auto stream = (batches_seen_ * processes_ + rank_) * static_cast<uint64_t>(team_.size()) +
                        static_cast<uint64_t>(share);
    // A bijection of the seed; for seeds below 2²⁴ its bits do not overlap those of streams.
    const auto base = (seed_ << 40) ^ ((seed_ >> 24) * 0x9E3779B97F4A7C15ULL);
    dropouts.push_back(Dropout::of(options_, base ^ stream));
  }
  ++batches_seen_;
  const auto complete_part = [this](GradientPart part) { complete(part); };
  return objective_->accumulate_gradient(
      {gradient_, auxiliary_gradient_.get(), dropouts, complete_part}, batch, scale);
}

DeferredNumber FusedStep::update(double learning_rate) {
  if (exchange_) exchange_->wait();
  batches_at_update_ = batches_seen_;
  return optimizer_.step(learning_rate, parameters_.data(), gradient_buffer_->matrix().data, team_);
}

void FusedStep::zero_grad() {
  if (exchange_) exchange_->wait();
  batches_at_update_ = batches_seen_;
  std::fill_n(gradient_buffer_->matrix().data, parameters_.size(), 0.0F);
}

void FusedStep::reset() {
  zero_grad();
  optimizer_.reset();
  batches_seen_ = batches_at_update_ = 0;
}

void FusedStep::save_state(TensorFile& state) const {
  state.metadata["batches_seen"] = std::to_string(batches_seen_);
  state.metadata["optimizer_steps"] = std::to_string(optimizer_.steps());
  for_each_tensor([&](const std::string& prefix, const std::vector<NamedTensor>& tensors) {
    add_tensors(state, prefix, tensors);
  });
}

void FusedStep::load_state(const TensorFile& state) {
  batches_seen_ = batches_at_update_ = static_cast<uint64_t>(read_count(state, "batches_seen"));
  optimizer_.set_steps(read_count(state, "optimizer_steps"));
  for_each_tensor([&](const std::string& prefix, const std::vector<NamedTensor>& tensors) {
    read_tensors(state, prefix, tensors);
  });
}

/// Visits all tensors of a training state with their prefixes.
void FusedStep::for_each_tensor(
    const std::function<void(const std::string&, const std::vector<NamedTensor>&)>& visit) const {
  if (!auxiliary_.is_empty()) visit(kAuxiliaryWeights, parameters_.views(parameters_.data(), 1));
  if (optimizer_.steps() == 0) return;
  for (size_t model = 0; model < models_.size(); ++model) {
    const std::string prefix = model == 0 ? "" : kAuxiliary;
    visit(prefix + "first_moment", parameters_.views(optimizer_.first_moment(), model));
    if (optimizer_.second_moment() == nullptr) continue;
    visit(prefix + "second_moment", parameters_.views(optimizer_.second_moment(), model));
  }
}

}  // namespace nmt
