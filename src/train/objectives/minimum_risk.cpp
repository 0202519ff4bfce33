#include "config/objective_kind.h"

namespace nmt {

/// What a sample is rewarded for.
enum class MrtReward { kGleu, kBleu, kChrf };
template <>
struct ChoiceNames<MrtReward> {
  static constexpr const char* kNames[] = {"gleu", "bleu", "chrf"};
};

}  // namespace nmt

#ifdef NMT_WITHOUT_LIBTORCH  // the description

const nmt::ObjectiveKind& nmt::minimum_risk_objective() {
  static const ObjectiveKind kind = {
      "minimum_risk",
      "expected reward of the model's own samples (Shen et al. 2016)",
      {{"mrt_reward", MrtReward::kGleu, "minimum_risk: reward of a sample"},
       {"mrt_samples", 5, "minimum_risk: samples per sentence", {2, 1000}},
       {"mrt_ce_weight", 0.1, "minimum_risk: weight of the cross-entropy that is added",
        kNotNegative}},
      /*alias=*/"mrt",
      /*fused=*/false,
      /*needs_trained=*/true};
  return kind;
}

#else  // the loss

#include <ATen/ATen.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "decode/greedy_and_sampling_search.h"
#include "decode/model_stepper.h"
#include "errors/error.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/gleu.h"
#include "text/special_tokens.h"
#include "train/objectives/objective.h"

namespace nmt {
namespace {

constexpr double kPercent = 100.0;

using Tokens = std::vector<int32_t>;
using Reward = double (*)(const std::string& sample, const std::string& reference);

/// A sentence's score, from 0 to 1.
Reward reward_of(MrtReward reward) {
  switch (reward) {
    case MrtReward::kGleu:
      return sentence_gleu;
    case MrtReward::kBleu:
      return [](const std::string& sample, const std::string& reference) {
        return sentence_bleu(sample, reference).score / kPercent;
      };
    case MrtReward::kChrf:
      return [](const std::string& sample, const std::string& reference) {
        return chrf_of(count_chrf(sample, reference)).score / kPercent;
      };
  }
  return sentence_gleu;
}

/// Minimum risk training (Shen et al. 2016; Wu et al. 2016, section 7): what is translated is to
/// score well, not only what was given to be likely. Of K samples y^k ~ p(y|x) of each sentence
/// with rewards r^k,
///
///   objective = −1/K Σ_k (r^k − b^k) log p(y^k | x)  +  λ · likelihood's
///   b^k       = the mean reward of the other samples
///
/// whose gradient is that of −E[r], estimated (Williams 1992); the baseline b^k takes from its
/// variance and nothing from its mean, for it does not depend on y^k.
class MinimumRisk : public Objective {
 public:
  MinimumRisk(const TrainConfig& config, const Tokenizer& target)
      : samples_(config.objective_value<int64_t>("mrt_samples")),
        ce_weight_(config.objective_value<double>("mrt_ce_weight")),
        label_smoothing_(config.label_smoothing),
        reward_(reward_of(config.objective_value<MrtReward>("mrt_reward"))),
        target_(target) {}

  TokenLoss loss(Seq2Seq& model, const Batch& batch) override {
    auto loss = batch_loss(model, batch, label_smoothing_);
    // Nothing can be drawn from what is no probability: left to the guard against divergence.
    if (!std::isfinite(loss.objective.item<double>())) return loss;
    const auto samples = draw(model, batch);
    const auto advantages = advantages_of(samples, batch);
    loss.objective = ce_weight_ * loss.objective + risk(model, batch, samples, advantages);
    return loss;
  }

 private:
  /// K samples of each sentence, one sentence's after another's. Without dropout.
  std::vector<Tokens> draw(Seq2Seq& model, const Batch& batch) const {
    SearchOptions options;
    options.n_best = samples_;
    options.attention = false;
    options.sampling.emplace();
    options.sampling->seed = static_cast<uint64_t>(torch::randint(INT32_MAX, {1}).item<int64_t>());
    model->eval();
    ModelStepper stepper(model);
    std::vector<Tokens> samples;
    for (auto& found : sample_search(stepper, batch.source, batch.source_lengths, options)) {
      for (auto& hypothesis : found) samples.push_back(std::move(hypothesis.tokens));
    }
    model->train();
    return samples;
  }

  /// r^k − b^k of each sample.
  std::vector<float> advantages_of(const std::vector<Tokens>& samples, const Batch& batch) const {
    const auto references = batch.target_output.cpu();
    const auto count = static_cast<size_t>(samples_);
    std::vector<float> advantages;
    for (size_t first = 0; first < samples.size(); first += count) {
      const auto row = static_cast<int64_t>(first / count);
      const auto reference = target_.decode(tokens_of(references, row));
      std::vector<double> rewards;
      double sum = 0.0;
      for (size_t k = 0; k < count; ++k) {
        rewards.push_back(reward_(target_.decode(samples[first + k]), reference));
        sum += rewards.back();
      }
      for (const double reward : rewards) {
        const double others = (sum - reward) / static_cast<double>(count - 1);
        advantages.push_back(static_cast<float>(reward - others));
      }
    }
    return advantages;
  }

  /// −1/K Σ_k (r^k − b^k) log p(y^k | x), summed over the batch's sentences.
  torch::Tensor risk(Seq2Seq& model, const Batch& batch, const std::vector<Tokens>& samples,
                     const std::vector<float>& advantages) const {
    const auto copies = torch::arange(batch.source.size(0)).repeat_interleave(samples_);
    auto sampled = make_target_batch(samples).to(batch.source.device());
    sampled.source = batch.source.index_select(0, copies.to(batch.source.device()));
    sampled.source_lengths = batch.source_lengths.index_select(0, copies);
    const auto predictions = predict_tokens(model, sampled);  // of M tokens
    const auto chosen =
        predictions.log_probabilities.gather(1, predictions.targets.unsqueeze(1)).squeeze(1);
    const auto lengths = (sampled.target_output != kPadId).sum(1);        // [B·K]
    const auto weights = torch::tensor(advantages).to(chosen.options());  // [B·K]
    return -(weights.repeat_interleave(lengths) * chosen).sum() / samples_;
  }

  int64_t samples_;
  double ce_weight_;
  double label_smoothing_;
  Reward reward_;
  Tokenizer target_;
};

}  // namespace

std::unique_ptr<Objective> make_minimum_risk_objective(const TrainConfig& config,
                                                       const Tokenizers& tokenizers,
                                                       const torch::Device&) {
  return std::make_unique<MinimumRisk>(config, tokenizers.target);
}

}  // namespace nmt

#endif
