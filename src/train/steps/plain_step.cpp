#include "train/steps/plain_step.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <cmath>
#include <utility>

#include "numbers/parse.h"
#include "train/steps/named_parameters.h"
#include "train/steps/optimizer.h"

namespace nmt {
namespace {

constexpr char kGeneratorState[] = "random_generator";
constexpr char kBeside[] = "beside_";  // names of the other model's tensors begin so
constexpr char kBesideWeights[] = "beside_weights";

/// What dropout draws from.
at::Generator generator_of(const std::vector<torch::Tensor>& parameters) {
  return at::globalContext().defaultGenerator(parameters.front().device());
}

std::vector<torch::Tensor> parameters_of(const Seq2Seq& model, const Seq2Seq& beside) {
  auto parameters = unique_parameters(*model);
  if (beside.is_empty()) return parameters;
  for (auto& parameter : unique_parameters(*beside)) parameters.push_back(std::move(parameter));
  return parameters;
}

}  // namespace

PlainStep::PlainStep(const Seq2Seq& model, const TrainConfig& config,
                     std::unique_ptr<Objective> objective, const torch::Device& device, int threads,
                     ProcessGroup* peers)
    : model_(model),
      clip_norm_(config.clip_norm),
      objective_(std::move(objective)),
      beside_(objective_->model_beside()),
      device_(device),
      autocast_type_(autocast_type(config.precision, device)),
      threads_(threads),
      parameters_(parameters_of(model, beside_)),
      optimizer_(make_optimizer(parameters_, config)) {
  if (autocast_type_ == torch::kHalf) loss_scale_.emplace();
  if (peers != nullptr && peers->size() > 1) exchange_among(*peers);
}

void PlainStep::exchange_among(ProcessGroup& peers) {
  buckets_ = std::make_unique<GradientBuckets>(
      parameters_, [this](size_t bucket) { exchange_->complete(bucket); });
  std::vector<GradientExchange::Bucket> exchanged;
  for (const auto& bucket : buckets_->buckets()) exchanged.push_back({bucket});
  exchange_ = std::make_unique<GradientExchange>(peers, std::move(exchanged));
}

double PlainStep::add_gradient(const Batch& batch, double scale) {
  if (batch.source.size(0) == 0) return 0.0;  // another process has all of it
  // Setting it anew, even to the same, restarts a pool of threads in LibTorch.
  if (at::get_num_threads() != threads_) at::set_num_threads(threads_);
  const auto loss = [&] {
    const Autocast autocast(device_.type(), autocast_type_);
    return objective_->loss(model_, batch);
  }();
  if (buckets_) buckets_->begin_pass();
  (loss.objective * (scale * (loss_scale_ ? loss_scale_->value() : 1.0))).backward();
  return loss.negative_log_likelihood.item<double>();
}

double PlainStep::update(double learning_rate) {
  if (exchange_) exchange_->wait();
  set_learning_rate(*optimizer_, learning_rate);
  for (auto& parameter : parameters_) {
    // Of a layer that was left out. Without one its optimiser would count other steps than the
    // rest.
    if (!parameter.grad().defined()) parameter.mutable_grad() = torch::zeros_like(parameter);
  }
  if (loss_scale_) {
    for (auto& parameter : parameters_) parameter.mutable_grad().div_(loss_scale_->value());
  }
  const double norm = clip_gradients(parameters_, clip_norm_);
  if (std::isfinite(norm)) optimizer_->step();
  if (loss_scale_) loss_scale_->observe(std::isfinite(norm));
  forget_gradient();
  return norm;
}

void PlainStep::forget_gradient() {
  if (exchange_) {
    exchange_->wait();
    return buckets_->clear();
  }
  // Zeroing them, as zero_grad() would, and adding to the zeros costs two passes over memory.
  for (auto& parameter : parameters_) parameter.mutable_grad() = torch::Tensor();
}

void PlainStep::save_state(TensorFile& state) const {
  save_moments(*optimizer_, model_, state);
  if (!beside_.is_empty()) {
    add_tensors(state, kBesideWeights, unique_named_parameters(beside_));
    save_moments(*optimizer_, beside_, state, kBeside);
  }
  state.metadata["batches_seen"] = "0";  // counts dropout's numbers in the fused path
  if (loss_scale_) {
    state.metadata["loss_scale"] = shortest_text(loss_scale_->value());
    state.metadata["loss_scale_updates"] = std::to_string(loss_scale_->finite_updates());
  }
  state.tensors.push_back({kGeneratorState, generator_of(parameters_).get_state()});
}

void PlainStep::load_state(const TensorFile& state) {
  load_moments(state, model_, *optimizer_);
  if (!beside_.is_empty()) {
    read_tensors(state, kBesideWeights, unique_named_parameters(beside_));
    load_moments(state, beside_, *optimizer_, kBeside);
  }
  if (loss_scale_ && state.metadata.count("loss_scale") != 0) {
    // A power of two from 1 up: its digits are exact.
    const auto scale = parse_number<double>(state.metadata.at("loss_scale"));
    loss_scale_->restore(scale.value_or(1.0), read_count(state, "loss_scale_updates"));
  }
  if (!holds_tensor(state, kGeneratorState)) return;  // a state of the fused path
  generator_of(parameters_).set_state(state.at(kGeneratorState).clone());
}

void PlainStep::write_model_beside(const std::filesystem::path& folder) const {
  objective_->write_model_beside(folder);
}

}  // namespace nmt
