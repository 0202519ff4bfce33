#pragma once

#include <torch/types.h>

namespace nmt {

class DeviceBeam;
struct DeviceBeamOptions;

struct StepperOutput {
  torch::Tensor log_probabilities;  // [N, V]  natural log
  torch::Tensor attention;  // [N, S]  weights over the source; undefined if the model has none
  bool normalized = true;   // false: log_probabilities are logits, up to a constant of each row
};

/// The interface of a model for search: start from a batch of sources, advance by one token, select
/// rows. Greedy search, beam search and sampling work on any stepper: a model, an ensemble, or the
/// tests' scripted one.
///
/// Rows are hypotheses: after `start` one for each sentence, later N = B·K, with the K rows of a
/// sentence adjacent. Each select() may change K.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// source [B, S] token ids padded with kPadId, lengths [B] at least 1; int64 on the CPU.
  virtual void start(const torch::Tensor& source, const torch::Tensor& lengths) = 0;

  /// Between start() and the first advance(): gives tokens that `allowed` [B, V] excludes the
  /// logit −∞ in every model, before log-softmax.
  virtual void restrict_to(const torch::Tensor& allowed) {
    TORCH_CHECK(!allowed.defined(), "this stepper cannot be restricted to candidates");
  }

  /// The last token of every row, [N] int64 on the CPU. A GPU reads pinned memory later: the caller
  /// must not change tokens, or the rows of select(), until it has read the step's output.
  virtual StepperOutput advance(const torch::Tensor& tokens) = 0;

  /// As advance(), but where a kernel finds the best tokens of logits (nn/cuda/best_tokens.h), the
  /// output need not be normalized.
  virtual StepperOutput advance_to_logits(const torch::Tensor& tokens) { return advance(tokens); }

  /// Call after start(), in place of advance(): a beam search on the model's device; null if the
  /// model does not support it.
  virtual DeviceBeam* start_on_device(const DeviceBeamOptions&) { return nullptr; }

  /// Row i continues from previous row rows[i]; of the B sentences only `sentences` remain,
  /// ascending. rows [B'·K] and sentences [B'] are int64 on the CPU.
  virtual void select(const torch::Tensor& rows, const torch::Tensor& sentences) = 0;

  /// Frees the memory of the search, as before start().
  virtual void release() {}

  virtual torch::Device device() const = 0;
};

}  // namespace nmt
