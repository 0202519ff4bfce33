#ifdef NMT_WITHOUT_LIBTORCH  // the description

#include "config/objective_kind.h"

const nmt::ObjectiveKind& nmt::dual_objective() {
  static const ObjectiveKind kind = {
      "dual",
      "both directions, trained to agree (Xia et al. 2017)",
      {{"reverse_model", "",
        "dual: trained model of the reverse direction; a copy is trained jointly", kAnyNumber,
        /*required=*/true},
       {"source_lm", "", "dual: language model of the source", kAnyNumber, /*required=*/true},
       {"target_lm", "", "dual: language model of the target", kAnyNumber, /*required=*/true},
       {"dual_weight", 0.01, "dual: weight of the squared gap between the joint log-probabilities",
        kNotNegative}},
      /*alias=*/"",
      FusedSupport::kAll};
  return kind;
}

#else  // the loss

#include <ATen/ATen.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint/model.h"
#include "decode/forced_scoring.h"
#include "decode/fused_scoring.h"
#include "decode/network_model.h"
#include "errors/error.h"
#include "text/model_description.h"
#include "text/special_tokens.h"
#include "train/objectives/objective.h"

namespace nmt {
namespace {

/// Both throw Error that names the setting.
ModelFiles files_of(const char* setting, const TrainConfig& config) try {
  return read_model_files(config.objective_value<std::string>(setting));
} catch (const Error& error) {
  throw Error(std::string("train.") + setting + ": " + error.what());
}

Seq2Seq read_language_model(const char* setting, const TrainConfig& config,
                            const Tokenizer& vocabulary, const torch::Device& device) {
  const auto model = parse_model(files_of(setting, config));
  const bool other = !same_vocabulary(model.target.bytes(), vocabulary.bytes());
  if (model.options.architecture == Architecture::kLanguageModel && !other) {
    return make_network(model, device);
  }
  throw Error(std::string("train.") + setting + ": " +
              config.objective_value<std::string>(setting) +
              (other ? ": has another vocabulary than this run" : ": is not a language model") +
              "; make one with nmt lm train --vocabulary-of, and --side for the source");
}

/// Sources and targets of a batch, as lists of tokens.
struct TokenPairs {
  explicit TokenPairs(const Batch& batch) {
    const auto source_ids = batch.source.cpu();
    const auto target_ids = batch.target_output.cpu();
    for (int64_t row = 0; row < source_ids.size(0); ++row) {
      sources.push_back(tokens_of(source_ids, row));
      targets.push_back(tokens_of(target_ids, row));
    }
  }

  std::vector<std::vector<int32_t>> sources;
  std::vector<std::vector<int32_t>> targets;
};

/// The same pairs with source and target exchanged.
Batch mirrored(const Batch& batch) {
  const TokenPairs pairs(batch);
  return make_batch(pairs.targets, pairs.sources).to(batch.source.device());
}

/// The predictions of one direction for a batch.
struct Direction {
  TokenLoss loss;
  torch::Tensor log_probabilities;  // [B]  log p(y | x), EOS included
};

Direction predict_direction(Seq2Seq& model, const Batch& batch, double label_smoothing) {
  const auto predictions = predict_tokens(model, batch);        // of M tokens
  const auto log_p = predictions.of_targets();                  // [M]
  const auto lengths = (batch.target_output != kPadId).sum(1);  // [B]
  const auto rows = torch::arange(lengths.size(0), lengths.options()).repeat_interleave(lengths);
  return {token_loss(predictions.log_probabilities, predictions.targets, label_smoothing),
          torch::zeros({lengths.size(0)}, log_p.options()).index_add(0, rows, log_p)};
}

/// Dual supervised learning (Xia et al. 2017, section 3.2): the two directions of a pair share one
/// probability, p(x) p(y|x) = p(y) p(x|y), and are trained together to agree on it. With language
/// models p̂ in the marginals' place,
///
///   objective = −log p(y|x) − log p(x|y) + λ (log p̂(x) + log p(y|x) − log p̂(y) − log p(x|y))²
///
/// summed over pairs. Each direction's gradient is that of its own likelihood and the shared term.
class Dual : public Objective {
 public:
  Dual(const TrainConfig& config, const Tokenizers& tokenizers, const torch::Device& device)
      : label_smoothing_(config.label_smoothing),
        weight_(config.objective_value<double>("dual_weight")),
        source_lm_(read_language_model("source_lm", config, tokenizers.source, device)),
        target_lm_(read_language_model("target_lm", config, tokenizers.target, device)) {
    const auto files = files_of("reverse_model", config);
    const auto stored = parse_model(files);
    if (!same_vocabulary(stored.source.bytes(), tokenizers.target.bytes()) ||
        !same_vocabulary(stored.target.bytes(), tokenizers.source.bytes()) ||
        stored.options.architecture == Architecture::kLanguageModel) {
      throw Error("train.reverse_model: " + config.objective_value<std::string>("reverse_model") +
                  ": is not of the other direction and this run's vocabularies; train it with "
                  "--vocab.source-model and --vocab.target-model the other way round");
    }
    reverse_parts_ = files.parts.without_measurements();
    reverse_ = make_network(stored, device);
    reverse_->train();
  }

  TokenLoss loss(Seq2Seq& model, const Batch& batch) override {
    const auto back = mirrored(batch);
    const auto forward = predict_direction(model, batch, label_smoothing_);
    const auto reverse = predict_direction(reverse_, back, label_smoothing_);
    const auto marginals = torch::tensor(score_batch(source_lm_, back), torch::kDouble) -
                           torch::tensor(score_batch(target_lm_, batch), torch::kDouble);  // [B]
    const auto gap = marginals.to(forward.log_probabilities.options()) + forward.log_probabilities -
                     reverse.log_probabilities;  // [B]
    return {forward.loss.objective + reverse.loss.objective + weight_ * gap.square().sum(),
            forward.loss.negative_log_likelihood};
  }

  double accumulate_gradient(const FusedPass& pass, const Batch& batch, double scale) override {
    const auto back = mirrored(batch);
    const size_t count = pass.dropouts.size();
    const LossOptions options{label_smoothing_};
    auto forward = packed_shares(batch, count, scale, options);
    auto reverse = packed_shares(back, count, scale, options);
    std::vector<Dropout> reverse_dropouts;
    for (const auto& dropout : pass.dropouts) {
      reverse_dropouts.push_back(Dropout::of(reverse_->options(), ~dropout.seed));
    }
    pass.gradient.forward(forward, pass.dropouts);
    pass.auxiliary->forward(reverse, reverse_dropouts);
    const auto log_y = pass.gradient.log_probabilities();
    const auto log_x = pass.auxiliary->log_probabilities();
    const auto [log_source, log_target] = score_marginals(batch, pass.gradient.team());
    for (size_t share = 0; share < count; ++share) {
      const auto rows = rows_of_share(batch, share, count);
      for (size_t i = 0; i < rows.size(); ++i) {
        const auto row = static_cast<size_t>(rows[i]);
        const double gap = log_source[row] + log_y[share][i] - log_target[row] - log_x[share][i];
        const auto slope = static_cast<float>(2 * scale * weight_ * gap);  // of λ gap²
        forward[share].weights[i].target -= slope;
        reverse[share].weights[i].target += slope;
      }
    }
    const double loss = pass.gradient.backward(pass.complete);
    pass.auxiliary->backward();
    return loss;
  }

  Seq2Seq auxiliary_model() const override { return reverse_; }

  void write_auxiliary_model(const std::filesystem::path& folder) const override {
    write_model_directory(ModelDirectory{folder}, reverse_parts_, reverse_);
  }

 private:
  /// log p̂(x) and log p̂(y) of each pair.
  std::pair<std::vector<double>, std::vector<double>> score_marginals(const Batch& batch,
                                                                      ThreadTeam& team) {
    if (!packed_source_lm_) {
      packed_source_lm_ = inference_model_of(source_lm_, WeightType::kFloat32);
      packed_target_lm_ = inference_model_of(target_lm_, WeightType::kFloat32);
    }
    constexpr int64_t kScoredTogether = 64;
    const TokenPairs pairs(batch);
    return {fused_scores(*packed_source_lm_, pairs.targets, pairs.sources, kScoredTogether, team),
            fused_scores(*packed_target_lm_, pairs.sources, pairs.targets, kScoredTogether, team)};
  }

  double label_smoothing_;
  double weight_;
  Seq2Seq source_lm_;
  Seq2Seq target_lm_;
  std::unique_ptr<InferenceModel> packed_source_lm_;  // for the fused engine
  std::unique_ptr<InferenceModel> packed_target_lm_;
  ModelParts reverse_parts_;
  Seq2Seq reverse_{nullptr};
};

}  // namespace

std::unique_ptr<Objective> make_dual_objective(const TrainConfig& config,
                                               const Tokenizers& tokenizers,
                                               const torch::Device& device) {
  return std::make_unique<Dual>(config, tokenizers, device);
}

}  // namespace nmt

#endif
