#include "decode/model_stepper.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>
#include <utility>

#include "nn/cuda/device_operations.h"

namespace nmt {

ModelStepper::ModelStepper(Seq2Seq model)
    : model_(std::move(model)),
      device_(model_->parameters().front().device()),
      type_(model_->parameters().front().scalar_type()),
      finds_best_(has_step_operations(model_->parameters().front()) && !model_->options().copy) {}

void ModelStepper::start(const torch::Tensor& source, const torch::Tensor& lengths) {
  memory_.clear();  // makes room for the next ones
  state_ = {};
  source_ = source.to(device_);
  const auto encoded = model_->encode(source_, lengths);
  memory_ = encoded.memory;
  state_ = model_->start(encoded);
  num_sentences_ = source.size(0);
  allowed_ = torch::Tensor();
}

void ModelStepper::restrict_to(const torch::Tensor& allowed) { allowed_ = allowed.to(device_); }

StepperOutput ModelStepper::advance(const torch::Tensor& tokens) {
  const auto step = model_->step(to_device(tokens), state_, memory_);
  const int64_t rows = tokens.size(0) / num_sentences_;  // of each sentence, K
  const auto source =
      model_->options().copy ? source_.repeat_interleave(rows, 0) : torch::Tensor();  // [B·K, S]
  auto log_probabilities =
      model_->log_probabilities(step.attentional_hidden, step.attention, source);  // [B·K, V]
  if (allowed_.defined()) {
    const auto excluded = allowed_.logical_not().repeat_interleave(rows, 0);
    constexpr double kImpossible = -std::numeric_limits<double>::infinity();
    log_probabilities = log_probabilities.masked_fill(excluded, kImpossible).log_softmax(1);
  }
  return {log_probabilities, step.attention};
}

StepperOutput ModelStepper::advance_to_logits(const torch::Tensor& tokens) {
  if (!finds_best_ || allowed_.defined()) return advance(tokens);
  const auto step = model_->step(to_device(tokens), state_, memory_);
  return {model_->logits(step.attentional_hidden), step.attention, /*normalized=*/false};
}

DeviceBeam* ModelStepper::start_on_device(const DeviceBeamOptions& options) {
  if (!finds_best_ || allowed_.defined() || memory_.empty()) return nullptr;
  const auto& memory = memory_.front();
  const bool steps_by_kernels = memory.lengths.defined() && memory.keys.scalar_type() == type_;
  if (!steps_by_kernels || options.count > model_->options().target_vocabulary_size) return nullptr;
  if (beam_ == nullptr || !(beam_->options() == options)) {
    beam_ = std::make_unique<DeviceBeam>(model_, options);
  }
  beam_->start(memory, state_);
  memory_.clear();  // the beam has copies
  state_ = {};
  return beam_.get();
}

void ModelStepper::release() {
  beam_.reset();
  memory_.clear();
  state_ = {};
  source_ = allowed_ = torch::Tensor();
}

torch::Tensor ModelStepper::to_device(const torch::Tensor& numbers) const {
  return numbers.to(device_, /*non_blocking=*/true);
}

void ModelStepper::select(const torch::Tensor& rows, const torch::Tensor& sentences) {
  state_.select(to_device(rows));
  // The encoder's states are large, so they are copied only when sentences leave.
  if (sentences.size(0) == num_sentences_) return;
  num_sentences_ = sentences.size(0);
  const auto kept = to_device(sentences);
  source_ = source_.index_select(0, kept);
  for (auto& memory : memory_) memory = memory.select(kept);
  if (allowed_.defined()) allowed_ = allowed_.index_select(0, kept);
}

EnsembleStepper::EnsembleStepper(std::vector<std::unique_ptr<Stepper>> members,
                                 const std::vector<double>& weights, double language_model_weight)
    : members_(std::move(members)), language_model_weight_(language_model_weight) {
  TORCH_CHECK(!weights.empty() && members_.size() - weights.size() <= 1,
              "an ensemble needs translators, a weight for each and at most one language model");
  for (const double weight : weights) log_weights_.push_back(std::log(weight));
}

void EnsembleStepper::start(const torch::Tensor& source, const torch::Tensor& lengths) {
  for (const auto& member : members_) member->start(source, lengths);
}

void EnsembleStepper::restrict_to(const torch::Tensor& allowed) {
  for (const auto& member : members_) member->restrict_to(allowed);
}

StepperOutput EnsembleStepper::advance(const torch::Tensor& tokens) {
  std::vector<torch::Tensor> log_probabilities;
  torch::Tensor attention;
  int64_t attentive = 0;  // members that have attention
  for (size_t m = 0; m < log_weights_.size(); ++m) {
    const auto output = members_[m]->advance(tokens);
    log_probabilities.push_back(output.log_probabilities + log_weights_[m]);
    if (!output.attention.defined()) continue;
    attention = attention.defined() ? attention + output.attention : output.attention;
    ++attentive;
  }
  auto ranks = at::logsumexp(torch::stack(log_probabilities), 0);  // [N, V]
  if (members_.size() > log_weights_.size()) {
    ranks += language_model_weight_ * members_.back()->advance(tokens).log_probabilities;
  }
  return {ranks, attentive > 1 ? attention / attentive : attention};
}

void EnsembleStepper::release() {
  for (const auto& member : members_) member->release();
}

void EnsembleStepper::select(const torch::Tensor& rows, const torch::Tensor& sentences) {
  for (const auto& member : members_) member->select(rows, sentences);
}

}  // namespace nmt
