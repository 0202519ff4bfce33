#include "decode/fusion_stepper.h"

#include <ATen/ATen.h>

#include <utility>

namespace nmt {

FusionStepper::FusionStepper(std::unique_ptr<Stepper> translator,
                             std::unique_ptr<Stepper> language_model, double weight)
    : translator_(std::move(translator)),
      language_model_(std::move(language_model)),
      weight_(weight) {}

void FusionStepper::start(const torch::Tensor& source, const torch::Tensor& lengths) {
  translator_->start(source, lengths);
  language_model_->start(source, lengths);
}

StepperOutput FusionStepper::advance(const torch::Tensor& tokens) {
  const auto output = translator_->advance(tokens);
  const auto language = language_model_->advance(tokens).log_probabilities;  // [N, V]
  return {output.log_probabilities + weight_ * language, output.attention};
}

void FusionStepper::select(const torch::Tensor& rows, const torch::Tensor& sentences) {
  translator_->select(rows, sentences);
  language_model_->select(rows, sentences);
}

}  // namespace nmt
