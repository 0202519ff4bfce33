#pragma once

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
};

/// The objective that train.objective names. `target` is the vocabulary that rewards are read with.
/// Throws Error when there is none of that name.
std::unique_ptr<Objective> make_objective(const TrainConfig& config, const Tokenizer& target);

// Defined in train/objectives/NAME.cpp.
std::unique_ptr<Objective> make_likelihood(const TrainConfig& config);
std::unique_ptr<Objective> make_scheduled_sampling(const TrainConfig& config);
std::unique_ptr<Objective> make_r_drop(const TrainConfig& config);
std::unique_ptr<Objective> make_minimum_risk(const TrainConfig& config, const Tokenizer& target);

}  // namespace nmt
