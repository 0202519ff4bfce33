#pragma once

#include <memory>
#include <vector>

#include "decode/device_beam.h"
#include "decode/stepper.h"
#include "nn/seq2seq.h"

namespace nmt {

/// Steps through one model, which must be in evaluation mode. Holds the state of one search.
class ModelStepper : public Stepper {
 public:
  explicit ModelStepper(Seq2Seq model);

  void start(const torch::Tensor& source, const torch::Tensor& lengths) override;
  void restrict_to(const torch::Tensor& allowed) override;
  StepperOutput advance(const torch::Tensor& tokens) override;
  StepperOutput advance_to_logits(const torch::Tensor& tokens) override;
  DeviceBeam* start_on_device(const DeviceBeamOptions& options) override;
  void select(const torch::Tensor& rows, const torch::Tensor& sentences) override;
  void release() override;
  torch::Device device() const override { return device_; }

 private:
  torch::Tensor to_device(const torch::Tensor& numbers) const;

  Seq2Seq model_;
  torch::Device device_;
  torch::ScalarType type_;               // of the weights
  bool finds_best_;                      // whether a kernel finds the best tokens of logits
  std::vector<AttentionMemory> memory_;  // of the sentences that remain
  torch::Tensor allowed_;                // likewise, [B, V]; undefined: all tokens
  DecoderState state_;
  torch::Tensor source_;  // [B, S]  likewise
  int64_t num_sentences_ = 0;
  std::unique_ptr<DeviceBeam> beam_;  // of the last search on the device
};

/// Several models that share their vocabularies: the weighted mean of their probabilities and the
/// mean of the attention of those that attend. With a language model of the target vocabulary, the
/// log-probabilities are no longer normalized (shallow fusion, Gulcehre et al. 2015, section 4.1):
///
///   log Σ_m w_m p_m(y_t | y_<t, x)  +  β log p_LM(y_t | y_<t)
class EnsembleStepper : public Stepper {
 public:
  /// weights: one for each translator; they sum to 1. A member beyond them is the language model.
  EnsembleStepper(std::vector<std::unique_ptr<Stepper>> members, const std::vector<double>& weights,
                  double language_model_weight = 0.0);

  void start(const torch::Tensor& source, const torch::Tensor& lengths) override;
  void restrict_to(const torch::Tensor& allowed) override;
  StepperOutput advance(const torch::Tensor& tokens) override;
  void select(const torch::Tensor& rows, const torch::Tensor& sentences) override;
  void release() override;
  torch::Device device() const override { return members_.front()->device(); }

 private:
  std::vector<std::unique_ptr<Stepper>> members_;  // the language model comes last
  std::vector<double> log_weights_;
  double language_model_weight_;
};

}  // namespace nmt
