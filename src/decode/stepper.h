#pragma once

#include <torch/types.h>

namespace nmt {

struct StepperOutput {
  torch::Tensor log_probabilities;  // [N, V]  natural log
  torch::Tensor attention;  // [N, S]  weights over the source; undefined if the model has none
};

/// All that search knows of a model: start from a batch of sources, advance one token, go on from
/// chosen rows. Greedy search, beam search, sampling and ensembles are the same code over another
/// stepper, and tests use a scripted one.
///
/// Rows are hypotheses: after `start` one for each sentence, later N = B·K, where the K rows of a
/// sentence stand together.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// source [B, S] token ids padded with kPadId, lengths [B] int64 on the CPU, at least 1.
  virtual void start(const torch::Tensor& source, const torch::Tensor& lengths) = 0;

  /// The last token of every row, [N] int64 on the CPU.
  virtual StepperOutput advance(const torch::Tensor& tokens) = 0;

  /// Row i goes on from what was row rows[i]; of the B sentences only `sentences` stay, in that
  /// order. rows [B'·K] and sentences [B'] are int64 on the CPU.
  virtual void select(const torch::Tensor& rows, const torch::Tensor& sentences) = 0;

  virtual torch::Device device() const = 0;
};

}  // namespace nmt
