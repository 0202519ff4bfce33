#pragma once

#include <filesystem>
#include <memory>

#include "config/settings.h"
#include "data/batch.h"
#include "nn/loss.h"
#include "nn/seq2seq.h"
#include "text/tokenizer.h"

namespace nmt {

/// What a batch is to teach: a loss to differentiate. Each is a file in train/objectives, reads
/// like its equation, and asks of the model nothing but Seq2Seq's functions. They are of the plain
/// path; the fused one computes the likelihood alone.
class Objective {
 public:
  virtual ~Objective() = default;

  /// The loss of one batch, summed over its real target tokens. The model is in training mode and
  /// is so afterwards. What is drawn at random comes from LibTorch's default generator, which is
  /// saved with a run.
  virtual TokenLoss loss(Seq2Seq& model, const Batch& batch) = 0;

  /// Another model that the loss trains too, by the same optimiser; none of most objectives.
  virtual Seq2Seq auxiliary_model() const { return nullptr; }

  /// Writes that one, where there is any, as a model of its own.
  virtual void write_auxiliary_model(const std::filesystem::path&) const {}
};

/// The objective that train.objective names, for the run's vocabularies. Throws Error when there is
/// none of that name, or where models that it needs are missing or do not fit.
std::unique_ptr<Objective> make_objective(const TrainConfig& config, const Tokenizers& tokenizers,
                                          const torch::Device& device);

// Defined in train/objectives/NAME.cpp.
std::unique_ptr<Objective> make_likelihood(const TrainConfig& config);
std::unique_ptr<Objective> make_scheduled_sampling(const TrainConfig& config);
std::unique_ptr<Objective> make_r_drop(const TrainConfig& config);
std::unique_ptr<Objective> make_minimum_risk(const TrainConfig& config, const Tokenizer& target);
std::unique_ptr<Objective> make_dual(const TrainConfig& config, const Tokenizers& tokenizers,
                                     const torch::Device& device);

}  // namespace nmt
