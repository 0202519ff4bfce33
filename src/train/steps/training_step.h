#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "checkpoint/safetensors.h"
#include "config/settings.h"
#include "data/batch.h"
#include "distributed/process_group.h"
#include "nn/seq2seq.h"
#include "train/steps/gradient_exchange.h"
#include "train/training_inputs.h"

namespace nmt {

/// What an update is made of: gradients of batches, then a step of the optimiser. There are two:
/// the plain path (LibTorch's modules, autograd and optimisers; any device), which states what is
/// computed, and the fused path (src/fused; CPU), which computes the same faster.
///
/// Among several processes each adds the gradients of its share of the batches; all then have the
/// sum and make the same update. It is on its way while the last batch is still worked on.
class TrainingStep {
 public:
  virtual ~TrainingStep() = default;

  /// All batches of an update, by add_gradient; every process of the group has to call it, with
  /// batches or none.
  double add_gradients(const std::vector<Batch>& batches, double scale);

  /// Adds the gradient of scale · Σ objective; returns Σ −log p(y_t).
  virtual double add_gradient(const Batch& batch, double scale) = 0;

  /// Clips the gradient to train.clip_norm, moves the parameters and forgets the gradient. Returns
  /// the norm before clipping; when it is not finite the parameters stay as they are.
  virtual double update(double learning_rate) = 0;

  /// Forgets the gradient that was added: instead of an update.
  virtual void forget_gradient() = 0;

  /// Adds to `state` what is remembered between two updates: the optimiser's moments and steps, the
  /// state of random generators. The tensors share memory with this.
  virtual void save_state(TensorFile& state) const = 0;

  /// Goes on from there; for a step that has done nothing yet. Throws Error on tensors that are
  /// missing or of another shape.
  virtual void load_state(const TensorFile& state) = 0;

  /// Writes the model that the objective trains beside, where there is one, into a folder of its
  /// own, in place of what is there. Throws Error.
  virtual void write_model_beside(const std::filesystem::path&) const {}

 protected:
  /// Before the first batch: tells the exchange what is known of the gradient by then.
  virtual void foresee(const std::vector<Batch>&) {}

  std::unique_ptr<GradientExchange> exchange_;  // null without other processes
};

/// Throws Error where the settings ask for a path or a precision that does not compute it.
void require_training_step(const Seq2SeqOptions& options, const TrainConfig& config,
                           const torch::Device& device);

/// The path that train.engine names; "auto" is fused where that computes it, else plain. Changes
/// where the model's parameters lie in memory, not their values. The vocabularies are for the
/// objective, and not needed for likelihood. With `peers`, who have to outlive it, it is one of
/// several processes'.
std::unique_ptr<TrainingStep> make_training_step(const Seq2Seq& model, const TrainConfig& config,
                                                 const torch::Device& device, int threads,
                                                 const Tokenizers& tokenizers = {},
                                                 ProcessGroup* peers = nullptr);

}  // namespace nmt
