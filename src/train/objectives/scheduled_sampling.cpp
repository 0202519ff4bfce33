#ifdef NMT_WITHOUT_LIBTORCH  // the description

#include "config/objective_kind.h"

const nmt::ObjectiveKind& nmt::scheduled_sampling_objective() {
  static const ObjectiveKind kind = {
      "scheduled_sampling",
      "cross-entropy with some of the model's own tokens as input (Bengio et al. 2015)",
      {{"scheduled_sampling_probability",
        0.25,
        "scheduled_sampling: probability of feeding the model's own token",
        {0, 1}}},
      /*alias=*/"",
      FusedSupport::kWithoutCopying,
      /*needs_trained=*/false,
      /*of_pairs=*/true};
  return kind;
}

#else  // the loss

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>

#include <cstdint>
#include <vector>

#include "numbers/random.h"
#include "text/special_tokens.h"
#include "train/objectives/objective.h"

namespace nmt {
namespace {

/// Scheduled sampling (Bengio, Vinyals, Jaitly and Shazeer 2015, section 2.4): some inputs are the
/// model's own tokens, as in translation. After BOS each input is
///
///   ỹ_{t−1} = y_{t−1}                         with probability 1 − p
///           = argmax p(y_{t−1} | ỹ_<t−1, x)   with probability p
///
/// and the loss is that of y_t. p is constant; a run that starts from a trained model
/// (train.initial_model) corresponds to the end of the paper's schedule.
///
/// The tokens come from the model in training mode, with dropout. loss() computes them in a
/// separate pass with other dropout masks; the fused engine within the training pass, at the extra
/// cost of the argmax of the chosen tokens only.
///
/// For a Transformer they come from one pass over the given tokens, argmax p(y_{t−1} | y_<t−1, x),
/// because it computes all positions in parallel (Mihaylova and Martins 2019, section 3).
class ScheduledSampling : public Objective {
 public:
  explicit ScheduledSampling(const TrainConfig& config)
      : options_(loss_options(config)),
        probability_(config.objective_value<double>("scheduled_sampling_probability")) {}

  TokenLoss loss(Seq2Seq& model, const Batch& batch) override {
    const auto own = own_inputs(model, batch);
    at::autocast::clear_cache();  // its rounded weights carry no gradient
    auto mixed = batch;
    mixed.target_input = own;
    return batch_loss(model, mixed, options_);
  }

  double accumulate_gradient(const FusedPass& pass, const Batch& batch, double scale) override {
    auto shares = packed_shares(batch, pass.dropouts.size(), scale, options_);
    for (size_t share = 0; share < shares.size(); ++share) {
      shares[share].own_inputs = chosen_rows(shares[share].target, pass.dropouts[share].seed);
    }
    return pass.gradient.add(shares, pass.dropouts, pass.complete);
  }

  bool feeds_other_tokens() const override { return true; }

 private:
  /// Chooses each row after BOS with probability p.
  std::vector<int64_t> chosen_rows(const PackedSequences& target, uint64_t seed) const {
    Random random(seed, 0);
    std::vector<int64_t> rows;
    for (int64_t row = target.rows_at(0); row < target.num_rows(); ++row) {
      if (random.uniform() < probability_) rows.push_back(row);
    }
    return rows;
  }

  /// [B, T]: ỹ. Found without a gradient, as none passes through argmax.
  torch::Tensor own_inputs(Seq2Seq& model, const Batch& batch) const {
    const at::NoGradGuard no_gradients;
    return model->options().architecture == Architecture::kTransformer
               ? inputs_of_one_pass(model, batch)
               : inputs_step_by_step(model, batch);
  }

  torch::Tensor inputs_of_one_pass(Seq2Seq& model, const Batch& batch) const {
    const auto steps = model->force(batch.source, batch.source_lengths, batch.target_input);
    const auto likeliest = model->log_probabilities(steps, batch.source).argmax(2);  // [B, T]
    const auto& given = batch.target_input;
    const int64_t others = given.size(1) - 1;
    const auto mixed = mix(given.narrow(1, 1, others), likeliest.narrow(1, 0, others));
    return torch::cat({given.narrow(1, 0, 1), mixed}, 1);
  }

  torch::Tensor inputs_step_by_step(Seq2Seq& model, const Batch& batch) const {
    const auto encoded = model->encode(batch.source, batch.source_lengths);
    auto state = model->start(encoded);
    std::vector<torch::Tensor> inputs = {batch.target_input.select(1, 0)};  // BOS
    for (int64_t t = 1; t < batch.target_input.size(1); ++t) {
      const auto step = model->step(inputs.back(), state, encoded.memory);
      const auto likeliest =
          model->log_probabilities(step.attentional_hidden, step.attention, batch.source)
              .argmax(1);  // [B]
      inputs.push_back(mix(batch.target_input.select(1, t), likeliest));
    }
    return torch::stack(inputs, 1);
  }

  /// The model's own tokens in place of some of those given.
  torch::Tensor mix(const torch::Tensor& given, const torch::Tensor& own) const {
    const auto chosen = torch::rand(given.sizes(), given.device()) < probability_;
    return torch::where(chosen.logical_and(given != kPadId), own, given);
  }

  LossOptions options_;
  double probability_;
};

}  // namespace

std::unique_ptr<Objective> make_scheduled_sampling_objective(const TrainConfig& config,
                                                             const Tokenizers&,
                                                             const torch::Device&) {
  return std::make_unique<ScheduledSampling>(config);
}

}  // namespace nmt

#endif
