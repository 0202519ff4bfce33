#include "config/objective_kind.h"

namespace nmt {

/// The metric that rewards a sample.
enum class MrtReward { kGleu, kBleu, kChrf };
template <>
inline constexpr const char* kChoiceNames<MrtReward>[] = {"gleu", "bleu", "chrf"};

}  // namespace nmt

#ifdef NMT_WITHOUT_LIBTORCH  // the description

const nmt::ObjectiveKind& nmt::minimum_risk_objective() {
  static const ObjectiveKind kind = {
      "minimum_risk",
      "expected reward of the model's own samples, by REINFORCE (Williams 1992)",
      {{"mrt_reward", MrtReward::kGleu, "minimum_risk: reward of a sample"},
       {"mrt_samples", 5, "minimum_risk: samples per sentence", {2, 1000}},
       {"mrt_ce_weight", 0.1, "minimum_risk: weight of the added cross-entropy", kNotNegative}},
      /*alias=*/"mrt",
      FusedSupport::kAll,
      /*needs_trained=*/true};
  return kind;
}

#else  // the loss

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "decode/batch_search.h"
#include "decode/fused_search.h"
#include "decode/model_stepper.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
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
        return sentence_bleu(sample, reference, bleu_options_for({reference})).score / kPercent;
      };
    case MrtReward::kChrf:
      return [](const std::string& sample, const std::string& reference) {
        return chrf_of(count_chrf(sample, {reference})) / kPercent;
      };
  }
  return sentence_gleu;
}

/// Minimum risk training (Shen et al. 2016; Wu et al. 2016, section 5): optimizes the score of
/// translations, not only the likelihood of references. With K samples y^k ~ p(y|x) per sentence,
/// without <unk>, and rewards r^k,
///
///   objective = −1/K Σ_k (r^k − b^k) log p(y^k | x)  +  λ · likelihood's
///   b^k       = the mean reward of the other samples
///
/// The gradient of the first term is an unbiased estimate of that of −E[r] (REINFORCE, Williams
/// 1992); Shen et al. renormalize p^α over the samples instead. The baseline b^k reduces the
/// variance and leaves the mean unchanged, since it does not depend on y^k. Equal samples of a
/// sentence are merged, summing their weights (r^k − b^k) / K; weight 0 is left out. If a sample is
/// cut off at the length limit, EOS is not drawn and not part of log p.
class MinimumRisk : public Objective {
 public:
  MinimumRisk(const TrainConfig& config, const Tokenizer& target)
      : samples_(config.objective_value<int64_t>("mrt_samples")),
        ce_weight_(config.objective_value<double>("mrt_ce_weight")),
        label_smoothing_(config.label_smoothing),
        reward_(reward_of(config.objective_value<MrtReward>("mrt_reward"))),
        target_(target) {}

  TokenLoss loss(Seq2Seq& model, const Batch& batch) override {
    auto loss = batch_loss(model, batch, {label_smoothing_});
    // Sampling needs valid probabilities; the divergence guard handles this loss.
    if (!std::isfinite(loss.objective.item<double>())) return loss;
    const auto seed = static_cast<uint64_t>(torch::randint(INT32_MAX, {1}).item<int64_t>());
    model->eval();
    ModelStepper stepper(model);
    const auto samples =
        search_batch(stepper, batch.source.cpu(), batch.source_lengths, options(seed));
    model->train();
    at::autocast::clear_cache();  // weights rounded during the search carry no gradient
    loss.objective = ce_weight_ * loss.objective + risk(model, batch, weigh(samples, batch));
    return loss;
  }

  double accumulate_gradient(const FusedPass& pass, const Batch& batch, double scale) override {
    const auto samples = pass.dropouts.empty() ? Samples() : weigh(draw(pass, batch), batch);
    const auto targets = samples.tokens.empty() ? Batch() : make_target_batch(samples.tokens);
    const auto weights = smoothed_weights(ce_weight_ * scale, label_smoothing_);
    std::vector<PackedBatch> shares;
    for (size_t share = 0; share < pass.dropouts.size(); ++share) {
      std::vector<TokenPairView> pairs;  // each reference, followed by its samples
      for (const int64_t row : rows_of_share(batch, share, pass.dropouts.size())) {
        pairs.push_back(pair_of_row(batch, row, weights));
        const auto range = std::equal_range(samples.rows.begin(), samples.rows.end(), row);
        for (auto found = range.first; found != range.second; ++found) {
          const auto k = found - samples.rows.begin();
          const double weight = scale * samples.weights[static_cast<size_t>(k)];
          pairs.push_back(pair_of_row(targets, k, {static_cast<float>(weight), 0.0F}));
          pairs.back().shares_source = true;
          if (samples.cut[static_cast<size_t>(k)]) --pairs.back().target_length;
        }
      }
      shares.push_back(pack_batch(pairs, pass.gradient.layout_of_shared_sources()));
    }
    return pass.gradient.add(shares, pass.dropouts, pass.complete);
  }

  bool feeds_other_tokens() const override { return true; }

 private:
  /// Samples y^k of a batch, those of a row adjacent.
  struct Samples {
    std::vector<int64_t> rows;  // ascending
    std::vector<Tokens> tokens;
    std::vector<float> weights;  // (r^k − b^k) / K
    std::vector<bool> cut;       // at the length limit
  };

  SearchOptions options(uint64_t seed) const {
    SearchOptions options;
    options.n_best = samples_;
    options.sampling.emplace();
    options.sampling->seed = seed;
    return options;
  }

  /// K samples of each sentence from the current model, without dropout.
  std::vector<std::vector<Hypothesis>> draw(const FusedPass& pass, const Batch& batch) const {
    std::vector<std::vector<int32_t>> sources;
    for (int64_t row = 0; row < batch.source.size(0); ++row) {
      const auto pair = pair_of_row(batch, row);
      sources.emplace_back(pair.source, pair.source + pair.source_length);
    }
    const auto model = pass.gradient.pack_for_inference();
    return fused_search(*model, sources, batch.source.size(0), options(pass.dropouts.front().seed),
                        pass.gradient.team());
  }

  Samples weigh(const std::vector<std::vector<Hypothesis>>& drawn, const Batch& batch) const {
    const auto references = batch.target_output.cpu();
    const auto* source_lengths = batch.source_lengths.data_ptr<int64_t>();
    Samples samples;
    for (size_t row = 0; row < drawn.size(); ++row) {
      const int64_t limit = output_limit(options(0), source_lengths[row]);
      const auto reference = target_.decode(tokens_of(references, static_cast<int64_t>(row)));
      std::map<Tokens, double> counts;
      for (const auto& sample : drawn[row]) ++counts[sample.tokens];
      std::vector<double> rewards;  // of each distinct sample
      double sum = 0.0;
      for (const auto& [tokens, count] : counts) {
        rewards.push_back(reward_(target_.decode(tokens), reference));
        sum += count * rewards.back();
      }
      size_t i = 0;
      for (const auto& [tokens, count] : counts) {
        const double reward = rewards[i++];
        const double advantage = reward - (sum - reward) / static_cast<double>(samples_ - 1);
        constexpr double kRounding = 1e-9;
        if (std::abs(advantage) < kRounding) continue;
        samples.rows.push_back(static_cast<int64_t>(row));
        samples.tokens.push_back(tokens);
        samples.weights.push_back(
            static_cast<float>(count * advantage / static_cast<double>(samples_)));
        samples.cut.push_back(static_cast<int64_t>(tokens.size()) >= limit);
      }
    }
    return samples;
  }

  /// −1/K Σ_k (r^k − b^k) log p(y^k | x), summed over the batch's sentences.
  torch::Tensor risk(Seq2Seq& model, const Batch& batch, const Samples& samples) const {
    if (samples.rows.empty()) return torch::zeros({});
    const auto rows = torch::tensor(samples.rows);
    auto sampled = make_target_batch(samples.tokens);
    for (size_t k = 0; k < samples.cut.size(); ++k) {
      const auto end = static_cast<int64_t>(samples.tokens[k].size());
      if (samples.cut[k]) sampled.target_output[static_cast<int64_t>(k)][end].fill_(kPadId);
    }
    sampled.weights = torch::tensor(samples.weights);
    sampled = sampled.to(batch.source.device());
    sampled.source = batch.source.index_select(0, rows.to(batch.source.device()));
    sampled.source_lengths = batch.source_lengths.index_select(0, rows);
    return batch_loss(model, sampled, {}).objective;
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
