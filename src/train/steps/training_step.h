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
#include "text/tokenizer.h"
#include "train/objectives/objective.h"
#include "train/steps/gradient_exchange.h"

namespace nmt {

/// One update: gradients of batches, then an optimizer step. There are two implementations: the
/// plain engine (LibTorch's modules, autograd and optimizers; any device), which defines what is
/// computed, and the fused engine (src/fused; CPU), which computes the same faster.
///
/// Among several processes each accumulates the gradients of its share of the batches; all then
/// have the sum and make the same update. The sum is exchanged while the last batch is computed.
class TrainingStep {
 public:
  virtual ~TrainingStep() = default;
  TrainingStep(const TrainingStep&) = delete;
  TrainingStep& operator=(const TrainingStep&) = delete;

  /// accumulate_gradient() of all batches of an update. Collective.
  double accumulate_gradients(const std::vector<Batch>& batches, double scale);

  /// Accumulates the gradient of scale · Σ objective; returns Σ −log p(y_t).
  virtual double accumulate_gradient(const Batch& batch, double scale) = 0;

  /// Clips the gradient to train.clip_norm, updates the parameters and zeroes the gradient. Returns
  /// the norm before clipping; when it is not finite the parameters stay unchanged.
  virtual double update(double learning_rate) = 0;

  /// Zeroes the gradient, instead of an update.
  virtual void zero_grad() = 0;

  /// Forgets the optimizer's state.
  virtual void reset() = 0;

  /// Takes back accumulate_gradients() of an update that cannot be made: what is saved then makes
  /// it again with the same random numbers.
  virtual void undo() = 0;

  /// Adds to `state` what lasts from update to update: the optimizer's moments and steps, the state
  /// of random generators and of the objective. The tensors share memory with this.
  virtual void save_state(TensorFile& state) const = 0;

  /// Continues from there; for a step that has made no update yet. Throws Error on tensors that are
  /// missing or of another shape.
  virtual void load_state(const TensorFile& state) = 0;

  /// The parameters of the auxiliary model that the objective trains too, if any.
  std::vector<NamedTensor> auxiliary_parameters() const;

  /// Writes that model, if any, into a directory of its own, replacing what is there. Throws Error.
  void write_auxiliary_model(const std::filesystem::path& folder) const {
    objective_->write_auxiliary_model(folder);
  }

 protected:
  TrainingStep(const Seq2Seq& model, std::unique_ptr<Objective> objective);

  // In a state, the prefix of the auxiliary model's moments, and the name of its weights.
  static constexpr char kAuxiliary[] = "beside_";
  static constexpr char kAuxiliaryWeights[] = "beside_weights";

  /// learning_rate_factors() of models_; 0 for what train.freeze names in the first.
  std::vector<double> rate_factors(const TrainConfig& config) const;

  /// Before the first batch: tells the exchange which embedding rows will have a gradient.
  virtual void announce_sparse_rows(const std::vector<Batch>&) {}

  std::unique_ptr<Objective> objective_;
  Seq2Seq auxiliary_;                           // null with most objectives
  std::vector<Seq2Seq> models_;                 // the model, then the auxiliary one if any
  std::unique_ptr<GradientExchange> exchange_;  // null without other processes
};

/// Throws Error where the settings ask for an engine or a precision that cannot compute it.
void require_training_step(const Seq2SeqOptions& options, const TrainConfig& config,
                           const torch::Device& device);

/// The path that train.engine names; "auto" is fused where that supports the settings, else plain.
/// May move the model's parameters to other memory, keeping their values. The vocabularies are for
/// the objective; likelihood needs none. With a `group`, which must outlive it, it is one of
/// several processes'.
std::unique_ptr<TrainingStep> make_training_step(const Seq2Seq& model, const TrainConfig& config,
                                                 const torch::Device& device, int threads,
                                                 const Tokenizers& tokenizers = {},
                                                 ProcessGroup* group = nullptr);

}  // namespace nmt
