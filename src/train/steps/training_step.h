#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "checkpoint/safetensors.h"
#include "config/settings.h"
#include "data/batch.h"
#include "distributed/process_group.h"
#include "nn/seq2seq.h"
#include "text/tokenizer.h"
#include "train/objectives/objective.h"
#include "train/steps/deferred_number.h"
#include "train/steps/gradient_exchange.h"

namespace nmt {

/// One update: gradients of batches, then an optimizer step. Two implementations: the plain engine
/// (LibTorch's modules, autograd and optimizers; any device) is the reference; the fused engine
/// (src/fused; CPU) computes the same faster.
///
/// Each of several processes accumulates the gradients of its share of the batches; the sum is
/// all-reduced while the last batch is computed, and all make the same update.
class TrainingStep {
 public:
  virtual ~TrainingStep() = default;
  TrainingStep(const TrainingStep&) = delete;
  TrainingStep& operator=(const TrainingStep&) = delete;

  /// Calls accumulate_gradient() for all batches of an update; returns the sum. Collective. A
  /// single process throws Interrupted between batches once a signal has come.
  DeferredNumber accumulate_gradients(const std::vector<Batch>& batches, double scale);

  /// Accumulates the gradient of scale · Σ objective; returns Σ −log p(y_t).
  virtual DeferredNumber accumulate_gradient(const Batch& batch, double scale) = 0;

  /// Clips the gradient to train.clip_norm, updates the parameters and zeroes the gradient. Returns
  /// the norm before clipping; if it is not finite, the parameters stay unchanged. Where the loss
  /// is not known at once, the norm is NaN if the loss is not finite.
  virtual DeferredNumber update(double learning_rate) = 0;

  /// Zeroes the gradient, instead of an update.
  virtual void zero_grad() = 0;

  /// Resets the optimizer's state.
  virtual void reset() = 0;

  /// Undoes the random-number use of accumulate_gradients() for an update that cannot be made, so
  /// that a state saved now repeats it with the same random numbers.
  virtual void undo() = 0;

  /// Adds the persistent state to `state`: the optimizer's moments and steps, random generators and
  /// the objective's state. The tensors share memory with this object.
  virtual void save_state(TensorFile& state) const = 0;

  /// Restores save_state(). Call it before the first update. Throws Error for tensors that are
  /// missing or of another shape.
  virtual void load_state(const TensorFile& state) = 0;

  /// The parameters of the auxiliary model that the objective trains too, if any.
  std::vector<NamedTensor> auxiliary_parameters() const;

  /// Writes that model, if any, to the directory `folder`, replacing the model in it. Throws Error.
  void write_auxiliary_model(const std::filesystem::path& folder) const {
    objective_->write_auxiliary_model(folder);
  }

 protected:
  TrainingStep(const Seq2Seq& model, std::unique_ptr<Objective> objective);

  // Names in a training state: the prefix of the auxiliary model's moments, and its weights.
  static constexpr char kAuxiliary[] = "beside_";
  static constexpr char kAuxiliaryWeights[] = "beside_weights";

  /// learning_rate_factors() of models_; 0 for frozen parameters, which only the first may have.
  std::vector<double> rate_factors(const TrainConfig& config) const;

  /// Before the first batch: tells the exchange which embedding rows will have a gradient.
  virtual void announce_sparse_rows(const std::vector<Batch>&) {}

  std::unique_ptr<Objective> objective_;
  Seq2Seq auxiliary_;                           // null with most objectives
  std::vector<Seq2Seq> models_;                 // the model, then the auxiliary one if any
  std::unique_ptr<GradientExchange> exchange_;  // null without other processes
};

/// Throws Error if the settings request an engine or precision that does not support this run, or
/// if train.freeze is invalid.
void require_training_step(const Seq2SeqOptions& options, const TrainConfig& config,
                           const torch::Device& device);

/// Makes the step of the engine that train.engine names; "auto" is fused if that supports the
/// settings, otherwise plain. May move the model's parameters to other memory, keeping their
/// values. `tokenizers` are for the objective; likelihood needs none. `group`, if given, must
/// outlive the step.
std::unique_ptr<TrainingStep> make_training_step(const Seq2Seq& model, const TrainConfig& config,
                                                 const torch::Device& device, int threads,
                                                 const Tokenizers& tokenizers = {},
                                                 ProcessGroup* group = nullptr);

}  // namespace nmt
