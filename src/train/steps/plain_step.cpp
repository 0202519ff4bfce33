#include "train/steps/plain_step.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "nn/cuda/device_operations.h"
#include "numbers/parse.h"
#include "train/steps/named_parameters.h"
#include "train/steps/optimizer.h"

namespace nmt {
namespace {

constexpr char kGeneratorState[] = "random_generator";
constexpr char kCpuGeneratorState[] = "random_generator_cpu";

/// The generator of dropout: that of the parameters' device.
at::Generator generator_of(const std::vector<torch::Tensor>& parameters) {
  return at::globalContext().defaultGenerator(parameters.front().device());
}

/// The generator of objectives and layer dropout, also with a GPU.
at::Generator cpu_generator() { return at::globalContext().defaultGenerator(torch::kCPU); }

/// Ignores a missing state (fused engine) and one of another size (another kind of device).
void restore_generator(at::Generator generator, const torch::Tensor* stored) {
  if (stored == nullptr || stored->numel() != generator.get_state().numel()) return;
  generator.set_state(stored->clone());
}

/// Whether autocast in this type on a GPU computes gradients in float16: cuDNN's recurrent layers
/// do in any type (ATen's _cudnn_rnn_cast_reflatten). Kernels and single steps (nn/recurrent.h) do
/// not.
bool has_float16_gradients(const std::vector<Seq2Seq>& models, torch::ScalarType autocast,
                           const torch::Device& device) {
  return std::any_of(models.begin(), models.end(), [&](const Seq2Seq& model) {
    const auto& options = model->options();
    const bool in_steps = options.cell_layer_norm || options.state_dropout > 0;
    const bool in_kernels = options.cell == Cell::kGru && has_step_operations(device);
    return autocast == torch::kHalf ||
           (options.architecture != Architecture::kTransformer && !in_steps && !in_kernels);
  });
}

}  // namespace

PlainStep::PlainStep(const Seq2Seq& model, const TrainConfig& config,
                     std::unique_ptr<Objective> objective, const torch::Device& device, int threads,
                     ProcessGroup* group)
    : TrainingStep(model, std::move(objective)),
      model_(model),
      config_(config),
      device_(device),
      autocast_type_(autocast_type(config.precision, device)),
      threads_(threads),
      parameters_(unique_parameters_of(models_)),
      learning_rate_factors_(rate_factors(config)) {
  if (autocast_type_ && !device.is_cpu() &&
      has_float16_gradients(models_, *autocast_type_, device)) {
    loss_scale_.emplace();
  }
  if (!device.is_cpu()) {
    const bool is_tf32 = config.precision == TrainingPrecision::kTf32;
    at::globalContext().setAllowTF32CuBLAS(is_tf32);
    at::globalContext().setAllowTF32CuDNN(is_tf32);  // of LSTM layers
  }
  make_new_optimizer();
  if (group != nullptr && group->size() > 1) set_up_exchange(*group);
}

void PlainStep::set_up_exchange(ProcessGroup& group) {
  buckets_ = std::make_unique<GradientBuckets>(
      parameters_, [this](size_t bucket) { exchange_->complete(bucket); });
  std::vector<GradientExchange::Bucket> exchanged;
  for (const auto& bucket : buckets_->buckets()) exchanged.push_back({bucket});
  exchange_ =
      std::make_unique<GradientExchange>(group, std::move(exchanged), config_.gradient_compression);
}

void PlainStep::make_new_optimizer() {
  optimizer_ = make_optimizer(parameters_, config_);
  multi_tensor_adam_ = dynamic_cast<MultiTensorAdam*>(optimizer_.get());
}

DeferredNumber PlainStep::accumulate_gradient(const Batch& batch, double scale) {
  if (batch.source.size(0) == 0) return 0.0;  // this process has no rows of it
  // Setting it, even to the same number, restarts a thread pool in LibTorch.
  if (at::get_num_threads() != threads_) at::set_num_threads(threads_);
  if (generators_before_.empty()) {
    generators_before_ = {generator_of(parameters_).get_state(), cpu_generator().get_state()};
  }
  const auto loss = [&] {
    const Autocast autocast(device_.type(), autocast_type_);
    return objective_->loss(model_, batch.to(device_));
  }();
  const auto& value = loss.negative_log_likelihood;
  // The next loss scale depends on this update's result, which is waited for in any case.
  const bool defers = multi_tensor_adam_ != nullptr && !loss_scale_;
  DeferredNumber deferred;
  if (defers) {
    deferred_loss_ = deferred_loss_.defined() ? deferred_loss_ + value : value;
    deferred = DeferredNumber(value);  // before the backward pass, so that it is known earlier
  }
  if (buckets_) buckets_->begin_pass();
  (loss.objective * (scale * (loss_scale_ ? loss_scale_->value() : 1.0))).backward();
  return defers ? deferred : DeferredNumber(value.item<double>());
}

DeferredNumber PlainStep::update(double learning_rate) {
  if (exchange_) exchange_->wait();
  set_learning_rate(*optimizer_, learning_rate, learning_rate_factors_);
  for (size_t i = 0; i < parameters_.size(); ++i) {
    auto& parameter = parameters_[i];
    // Of a dropped layer: zeros, so that the optimizer counts its steps like the others'.
    if (!parameter.grad().defined()) parameter.mutable_grad() = torch::zeros_like(parameter);
    if (learning_rate_factors_[i] == 0.0) parameter.mutable_grad().zero_();
  }
  if (loss_scale_) {
    for (auto& parameter : parameters_) parameter.mutable_grad().div_(loss_scale_->value());
  }
  const auto norm = [&]() -> DeferredNumber {
    if (multi_tensor_adam_ != nullptr) {
      return DeferredNumber(multi_tensor_adam_->clip_and_step(config_.clip_norm, deferred_loss_));
    }
    const double found = clip_gradients(parameters_, config_.clip_norm);
    if (std::isfinite(found)) optimizer_->step();
    return found;
  }();
  if (loss_scale_) loss_scale_->observe(std::isfinite(norm));
  zero_grad();
  return norm;
}

void PlainStep::zero_grad() {
  generators_before_.clear();
  deferred_loss_ = torch::Tensor();
  if (exchange_) {
    exchange_->wait();
    return buckets_->clear();
  }
  // Released, not zeroed: accumulating into zeros would cost two more passes over memory.
  for (auto& parameter : parameters_) parameter.mutable_grad() = torch::Tensor();
}

void PlainStep::undo() {
  if (generators_before_.empty()) return;
  generator_of(parameters_).set_state(generators_before_[0]);
  cpu_generator().set_state(generators_before_[1]);
}

void PlainStep::reset() {
  zero_grad();
  make_new_optimizer();
}

void PlainStep::save_state(TensorFile& state) const {
  save_moments(*optimizer_, model_, state);
  if (!auxiliary_.is_empty()) {
    add_tensors(state, kAuxiliaryWeights, unique_named_parameters(auxiliary_));
    save_moments(*optimizer_, auxiliary_, state, kAuxiliary);
  }
  state.metadata["batches_seen"] = "0";  // counts dropout's numbers in the fused engine
  if (loss_scale_) {
    state.metadata["loss_scale"] = shortest_text(loss_scale_->value());
    state.metadata["loss_scale_updates"] = std::to_string(loss_scale_->finite_updates());
  }
  state.tensors.push_back({kGeneratorState, generator_of(parameters_).get_state()});
  if (!device_.is_cpu()) state.tensors.push_back({kCpuGeneratorState, cpu_generator().get_state()});
}

void PlainStep::load_state(const TensorFile& state) {
  load_moments(state, model_, *optimizer_);
  if (!auxiliary_.is_empty()) {
    read_tensors(state, kAuxiliaryWeights, unique_named_parameters(auxiliary_));
    load_moments(state, auxiliary_, *optimizer_, kAuxiliary);
  }
  if (loss_scale_ && state.metadata.count("loss_scale") != 0) {
    // A power of two from 1 up: its digits are exact.
    const auto scale = parse_number<double>(state.metadata.at("loss_scale"));
    loss_scale_->restore(scale.value_or(1.0), read_count(state, "loss_scale_updates"));
  }
  restore_generator(generator_of(parameters_), state.find(kGeneratorState));
  restore_generator(cpu_generator(), state.find(kCpuGeneratorState));
}

}  // namespace nmt
