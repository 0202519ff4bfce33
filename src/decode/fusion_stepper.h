#pragma once

#include <memory>

#include "decode/stepper.h"

namespace nmt {

/// Shallow fusion (Gulcehre et al. 2015, section 4.1): search ranks by
///
///   log p(y_t | y_<t, x)  +  β log p_LM(y_t | y_<t)
///
/// which is not normalised. The attention is the translator's.
class FusionStepper : public Stepper {
 public:
  /// Both models use the translator's target vocabulary.
  FusionStepper(std::unique_ptr<Stepper> translator, std::unique_ptr<Stepper> language_model,
                double weight);

  void start(const torch::Tensor& source, const torch::Tensor& lengths) override;
  StepperOutput advance(const torch::Tensor& tokens) override;
  void select(const torch::Tensor& rows, const torch::Tensor& sentences) override;
  torch::Device device() const override { return translator_->device(); }

 private:
  std::unique_ptr<Stepper> translator_;
  std::unique_ptr<Stepper> language_model_;
  double weight_;
};

}  // namespace nmt
