#ifdef NMT_WITHOUT_LIBTORCH  // the description

#include "config/objective_kind.h"

const nmt::ObjectiveKind& nmt::r_drop_objective() {
  static const ObjectiveKind kind = {
      "r_drop",
      "cross-entropy and agreement under different dropout (Liang et al. 2021)",
      {{"r_drop_weight", 5.0, "r_drop: weight of the divergence between the two passes",
        kNotNegative}},
      /*alias=*/"",
      FusedSupport::kWithoutCopying,
      /*needs_trained=*/false,
      /*of_pairs=*/false,
      /*passes=*/2.0};
  return kind;
}

#else  // the loss

#include <ATen/ATen.h>

#include <vector>

#include "train/objectives/objective.h"

namespace nmt {
namespace {

/// R-Drop (Liang et al. 2021, section 2.2): two passes over a batch that differ only in their
/// dropout are trained to agree. With the distributions P1 and P2 of a token in the two passes,
///
///   objective = ½ Σ_t (loss_1 + loss_2)  +  α/4 Σ_t (KL(P1‖P2) + KL(P2‖P1))
///
/// which is half of the paper's, so that its magnitude is that of one batch. Both passes are
/// computed as one, over the batch twice.
class RDrop : public Objective {
 public:
  explicit RDrop(const TrainConfig& config)
      : label_smoothing_(config.label_smoothing),
        weight_(config.objective_value<double>("r_drop_weight")) {}

  TokenLoss loss(Seq2Seq& model, const Batch& batch) override {
    const auto twice = [](const torch::Tensor& tensor) { return torch::cat({tensor, tensor}); };
    Batch both;
    both.source = twice(batch.source);
    both.source_lengths = twice(batch.source_lengths);
    both.target_input = twice(batch.target_input);
    both.target_output = twice(batch.target_output);
    if (batch.real_targets.defined()) {
      both.real_targets =
          torch::cat({batch.real_targets, batch.real_targets + batch.target_output.numel()});
    }
    const auto predictions = predict_tokens(model, both);  // [2M, V]
    const auto loss =
        token_loss(predictions.log_probabilities, predictions.targets, label_smoothing_);
    const auto passes = predictions.log_probabilities.chunk(2);  // first pass, second pass
    return {0.5 * loss.objective + 0.25 * weight_ * divergence(passes[0], passes[1]),
            0.5 * loss.negative_log_likelihood};
  }

  double accumulate_gradient(const FusedPass& pass, const Batch& batch, double scale) override {
    const LossOptions options{label_smoothing_};
    std::vector<PackedBatch> shares;
    for (size_t share = 0; share < pass.dropouts.size(); ++share) {
      std::vector<TokenPairView> both;  // a pair, its copy, the next pair …
      for (const auto& pair :
           pairs_of_share(batch, share, pass.dropouts.size(), 0.5 * scale, options)) {
        both.insert(both.end(), 2, pair);
      }
      shares.push_back(pack_batch(both));
    }
    pass.gradient.forward(shares, pass.dropouts);
    return 0.5 * pass.gradient.backward(pass.complete, 0.25 * weight_ * scale);
  }

 private:
  /// Σ_t KL(P1‖P2) + KL(P2‖P1) = Σ_t Σ_v (P1 − P2)(log P1 − log P2), of log P1, log P2 [M, V].
  static torch::Tensor divergence(const torch::Tensor& first, const torch::Tensor& second) {
    return ((first.exp() - second.exp()) * (first - second)).sum();
  }

  double label_smoothing_;
  double weight_;
};

}  // namespace

std::unique_ptr<Objective> make_r_drop_objective(const TrainConfig& config, const Tokenizers&,
                                                 const torch::Device&) {
  return std::make_unique<RDrop>(config);
}

}  // namespace nmt

#endif
