#pragma once

#include <memory>
#include <vector>

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
  void select(const torch::Tensor& rows, const torch::Tensor& sentences) override;
  torch::Device device() const override { return device_; }

 private:
  Seq2Seq model_;
  torch::Device device_;
  std::vector<AttentionMemory> memory_;  // of the sentences that are still there
  torch::Tensor allowed_;                // likewise, [B, V]; undefined: all tokens
  DecoderState state_;
  torch::Tensor source_;  // [B, S]  likewise
  int64_t num_sentences_ = 0;
};

/// Several models that share their vocabularies: the weighted mean of their probabilities,
/// log Σ_m w_m p_m(y), and the mean of the attention of those that attend.
class EnsembleStepper : public Stepper {
 public:
  /// weights: one for each member; they sum to 1.
  EnsembleStepper(std::vector<std::unique_ptr<Stepper>> members,
                  const std::vector<double>& weights);

  void start(const torch::Tensor& source, const torch::Tensor& lengths) override;
  void restrict_to(const torch::Tensor& allowed) override;
  StepperOutput advance(const torch::Tensor& tokens) override;
  void select(const torch::Tensor& rows, const torch::Tensor& sentences) override;
  torch::Device device() const override { return members_.front()->device(); }

 private:
  std::vector<std::unique_ptr<Stepper>> members_;
  std::vector<double> log_weights_;
};

/// Shallow fusion (Gulcehre et al. 2015, section 4.1): search ranks by
///
///   log p(y_t | y_<t, x)  +  β log p_LM(y_t | y_<t)
///
/// which is not normalized. The attention is the translator's.
class FusionStepper : public Stepper {
 public:
  /// Both models use the translator's target vocabulary.
  FusionStepper(std::unique_ptr<Stepper> translator, std::unique_ptr<Stepper> language_model,
                double weight);

  void start(const torch::Tensor& source, const torch::Tensor& lengths) override;
  void restrict_to(const torch::Tensor& allowed) override;
  StepperOutput advance(const torch::Tensor& tokens) override;
  void select(const torch::Tensor& rows, const torch::Tensor& sentences) override;
  torch::Device device() const override { return translator_->device(); }

 private:
  std::unique_ptr<Stepper> translator_;
  std::unique_ptr<Stepper> language_model_;
  double weight_;
};

}  // namespace nmt
