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

/// What the fused engine computes the gradient of a batch with.
struct FusedPass {
  FusedGradient& gradient;        // of the model
  FusedGradient* auxiliary;       // of the auxiliary model; else null
  std::vector<Dropout> dropouts;  // of each share of the batch
  FusedGradient::Complete complete;
};

/// A loss to differentiate. Each objective is a file in train/objectives and reads like its
/// equation. loss() defines it on the plain model; accumulate_gradient() is the same in the fused
/// engine.
class Objective {
 public:
  virtual ~Objective() = default;

  /// The loss of one batch, summed over its real target tokens. The model is in training mode and
  /// is so afterwards. What is drawn at random comes from LibTorch's default generator, which is
  /// saved with a run.
  virtual TokenLoss loss(Seq2Seq& model, const Batch& batch) = 0;

  /// The same in the fused engine, for kinds that are `fused`: adds the gradient of scale ·
  /// objective; returns Σ −log p(y_t). The seeds of the dropouts determine what is drawn at random.
  virtual double accumulate_gradient(const FusedPass& pass, const Batch& batch, double scale);

  /// Whether accumulate_gradient() feeds the decoder other tokens than the batch's.
  virtual bool feeds_other_tokens() const { return false; }

  /// Another model that the loss trains too, by the same optimizer; none of most objectives.
  virtual Seq2Seq auxiliary_model() const { return nullptr; }

  /// Writes that one, where there is any, as a model of its own.
  virtual void write_auxiliary_model(const std::filesystem::path&) const {}
};

/// The objective of train.objective, for the run's vocabularies. Throws Error where models that it
/// needs are missing or do not fit.
std::unique_ptr<Objective> make_objective(const TrainConfig& config, const Tokenizers& tokenizers,
                                          const torch::Device& device);

// Defined in train/objectives/NAME.cpp.
#define NMT_DECLARE_MAKER(name)                       \
  std::unique_ptr<Objective> make_##name##_objective( \
      const TrainConfig& config, const Tokenizers& tokenizers, const torch::Device& device);
NMT_OBJECTIVES(NMT_DECLARE_MAKER)
#undef NMT_DECLARE_MAKER

/// Makes the objective of a kind that the program has added with register_objective.
using ObjectiveMaker = decltype(&make_objective);
void register_objective_maker(const ObjectiveKind& kind, ObjectiveMaker make);

/// Predictions of a batch's M real target tokens by teacher forcing, sentence by sentence.
struct TokenPredictions {
  torch::Tensor log_probabilities;  // [M, V]
  torch::Tensor targets;            // [M] int64
  torch::Tensor weights;            // [M] of their pairs; undefined: 1
  torch::Tensor attention;          // [B, T, S]; undefined without attention
};

/// The output layer, the costliest part, never sees padding.
TokenPredictions predict_tokens(Seq2Seq& model, const Batch& batch);

/// Settings of a pair's loss: cross-entropy with label smoothing and, for pairs that have an
/// alignment, guided alignment.
struct LossOptions {
  double label_smoothing = 0.0;
  double guided_alignment_weight = 0.0;
};

/// Of train.label_smoothing and train.guided_alignment_weight.
LossOptions loss_options(const TrainConfig& config);

/// Teacher-forced loss of a batch, summed over its pairs with their weights.
TokenLoss batch_loss(Seq2Seq& model, const Batch& batch, const LossOptions& options);

/// Weights of a token's loss in the fused engine: `scale` times nn/loss.h.
TokenWeights smoothed_weights(double scale, double label_smoothing);

/// The rows of a batch for one of `shares` threads, dealt back and forth because a batch is sorted
/// by length.
std::vector<int64_t> rows_of_share(const Batch& batch, size_t share, size_t shares);

/// The pair of a row of a batch on the CPU, into which it points; no source where the batch has
/// none. Without the row's weight and alignment.
TokenPairView pair_of_row(const Batch& batch, int64_t row, TokenWeights weights = {});

/// The pairs of these rows_of_share(), with `scale` times batch_loss().
std::vector<TokenPairView> pairs_of_share(const Batch& batch, size_t share, size_t shares,
                                          double scale = 1.0, const LossOptions& options = {});

/// pairs_of_share() of every share, packed.
std::vector<PackedBatch> packed_shares(const Batch& batch, size_t shares, double scale,
                                       const LossOptions& options);

}  // namespace nmt
