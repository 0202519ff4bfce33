#ifdef NMT_WITHOUT_LIBTORCH  // the description

#include "config/objective_kind.h"

const nmt::ObjectiveKind& nmt::likelihood_objective() {
  static const ObjectiveKind kind = {"likelihood",
                                     "cross-entropy of the reference, with label smoothing",
                                     {},
                                     /*alias=*/"",
                                     FusedSupport::kAll,
                                     /*needs_trained=*/false,
                                     /*of_pairs=*/true};
  return kind;
}

#else  // the loss

#include "train/objectives/objective.h"

namespace nmt {
namespace {

/// The cross-entropy of nn/loss.h with the tokens before y_t given: teacher forcing.
class Likelihood : public Objective {
 public:
  explicit Likelihood(const LossOptions& options) : options_(options) {}

  TokenLoss loss(Seq2Seq& model, const Batch& batch) override {
    return batch_loss(model, batch, options_);
  }

  double accumulate_gradient(const FusedPass& pass, const Batch& batch, double scale) override {
    return pass.gradient.add(packed_shares(batch, pass.dropouts.size(), scale, options_),
                             pass.dropouts, pass.complete);
  }

 private:
  LossOptions options_;
};

}  // namespace

std::unique_ptr<Objective> make_likelihood_objective(const TrainConfig& config, const Tokenizers&,
                                                     const torch::Device&) {
  return std::make_unique<Likelihood>(loss_options(config));
}

}  // namespace nmt

#endif
