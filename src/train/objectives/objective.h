#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "config/settings.h"
#include "data/batch.h"
#include "fused/gradient.h"
#include "nn/loss.h"
#include "nn/seq2seq.h"
#include "text/tokenizer.h"

namespace nmt {

/// The context in which the fused engine computes the gradient of a batch.
struct FusedPass {
  FusedGradient& gradient;        // of the model
  FusedGradient* auxiliary;       // of the auxiliary model; null without one
  std::vector<Dropout> dropouts;  // one per share of the batch
  FusedGradient::Complete complete;
};

/// A training objective. Each is a file in train/objectives that reads like its equation. loss()
/// defines it on the plain model; accumulate_gradient() computes the same in the fused engine.
class Objective {
 public:
  virtual ~Objective() = default;

  /// The loss of one batch, summed over its real target tokens. The model is in training mode, and
  /// must be so again on return. Draw random numbers from LibTorch's default generators, of the CPU
  /// or of the batch's device, which are saved with a run.
  virtual TokenLoss loss(Seq2Seq& model, const Batch& batch) = 0;

  /// The same in the fused engine, for kinds that are `fused`: adds the gradient of scale ·
  /// objective and returns Σ −log p(y_t). Derive random numbers from the seeds of the dropouts.
  virtual double accumulate_gradient(const FusedPass& pass, const Batch& batch, double scale);

  /// Must be true if accumulate_gradient() feeds the decoder tokens other than the batch's:
  /// otherwise processes exchange too few rows of the target embedding's gradient.
  virtual bool feeds_other_tokens() const { return false; }

  /// Another model that the loss trains with the same optimizer; null for most objectives.
  virtual Seq2Seq auxiliary_model() const { return nullptr; }

  /// Writes the auxiliary model, if any, as a model directory.
  virtual void write_auxiliary_model(const std::filesystem::path&) const {}
};

/// Makes the objective that train.objective names. Throws Error if models that it needs are missing
/// or do not fit the vocabularies.
std::unique_ptr<Objective> make_objective(const TrainConfig& config, const Tokenizers& tokenizers,
                                          const torch::Device& device);

// Defined in train/objectives/NAME.cpp.
#define NMT_DECLARE_MAKER(name)                       \
  std::unique_ptr<Objective> make_##name##_objective( \
      const TrainConfig& config, const Tokenizers& tokenizers, const torch::Device& device);
NMT_OBJECTIVES(NMT_DECLARE_MAKER)
#undef NMT_DECLARE_MAKER

/// Registers the maker of a kind that the program has added with register_objective().
using ObjectiveMaker = decltype(&make_objective);
void register_objective_maker(const ObjectiveKind& kind, ObjectiveMaker make);

/// Teacher-forced predictions of a batch's M real target tokens, in order of sentence and position.
struct TokenPredictions {
  torch::Tensor log_probabilities;  // [M, V]
  torch::Tensor targets;            // [M] int64
  torch::Tensor weights;            // [M] of their pairs; undefined: all 1
  torch::Tensor attention;          // [B, T, S]; undefined without attention

  /// [M]  log p(y_t)
  torch::Tensor of_targets() const {
    return log_probabilities.gather(1, targets.unsqueeze(1)).squeeze(1);
  }
};

/// Applies the output layer, the costliest part, only to real tokens, not to padding.
TokenPredictions predict_tokens(Seq2Seq& model, const Batch& batch);

/// Settings of a pair's loss: cross-entropy with label smoothing and, for pairs that have an
/// alignment, guided alignment.
struct LossOptions {
  double label_smoothing = 0.0;
  double guided_alignment_weight = 0.0;
};

/// The options from train.label_smoothing and train.guided_alignment_weight.
LossOptions loss_options(const TrainConfig& config);

/// Teacher-forced loss of a batch, summed over its pairs with their weights.
TokenLoss batch_loss(Seq2Seq& model, const Batch& batch, const LossOptions& options);

/// Weights of a token's loss in the fused engine: `scale` times nn/loss.h.
TokenWeights smoothed_weights(double scale, double label_smoothing);

/// The rows of a batch for one of `shares` threads, dealt back and forth because a batch is sorted
/// by length.
std::vector<int64_t> rows_of_share(const Batch& batch, size_t share, size_t shares);

/// A view of one row of a batch on the CPU, without source if the batch has none, and without the
/// row's weight and alignment. Valid as long as the batch.
TokenPairView pair_of_row(const Batch& batch, int64_t row, TokenWeights weights = {});

/// The pairs of these rows_of_share(), with `scale` times batch_loss().
std::vector<TokenPairView> pairs_of_share(const Batch& batch, size_t share, size_t shares,
                                          double scale = 1.0, const LossOptions& options = {});

/// pairs_of_share() of every share, packed.
std::vector<PackedBatch> packed_shares(const Batch& batch, size_t shares, double scale,
                                       const LossOptions& options);

}  // namespace nmt
