#include "train/objectives/objective.h"

#include <ATen/ATen.h>

#include <map>
#include <stdexcept>

#include "data/batch_stream.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

std::map<const ObjectiveKind*, ObjectiveMaker>& makers() {
#define NMT_MAKER(name) {&name##_objective(), make_##name##_objective},
  static std::map<const ObjectiveKind*, ObjectiveMaker> all = {NMT_OBJECTIVES(NMT_MAKER)};
#undef NMT_MAKER
  return all;
}

int64_t length_of(const int64_t* tokens, int64_t width) {
  int64_t length = width;
  while (length > 0 && tokens[length - 1] == kPadId) --length;
  return length;
}

/// What the output layer reads for a batch's M real target tokens.
struct ForcedTokens {
  torch::Tensor states;              // [M, H]
  torch::Tensor attention, source;   // [M, S]  of a model that copies
  torch::Tensor targets, weights;    // [M]     as in TokenPredictions
  torch::Tensor attention_of_steps;  // [B, T, S]
};

ForcedTokens force_tokens(Seq2Seq& model, const Batch& batch) {
  const auto target = batch.target_output.reshape(-1);  // [B·T]
  const auto real = batch.real_targets.defined() ? batch.real_targets
                                                 : (target != kPadId).nonzero().squeeze(1);  // [M]
  const auto steps = model->force(batch.source, batch.source_lengths, batch.target_input);
  const auto of_real = [&](const torch::Tensor& all) {  // [B, T, …] to [M, …]
    return all.flatten(0, 1).index_select(0, real);
  };
  ForcedTokens tokens;
  tokens.states = of_real(steps.attentional_hidden);
  tokens.targets = target.index_select(0, real);
  tokens.attention_of_steps = steps.attention;
  if (batch.weights.defined()) {
    tokens.weights = of_real(batch.weights.unsqueeze(1).expand_as(batch.target_output));
  }
  if (model->options().copy) {
    tokens.attention = of_real(steps.attention);
    tokens.source = of_real(batch.source.unsqueeze(1).expand_as(steps.attention));
  }
  return tokens;
}

}  // namespace

double Objective::accumulate_gradient(const FusedPass&, const Batch&, double) {
  throw std::logic_error("the fused engine does not compute this objective");
}

std::unique_ptr<Objective> make_objective(const TrainConfig& config, const Tokenizers& tokenizers,
                                          const torch::Device& device) {
  return makers().at(config.objective)(config, tokenizers, device);
}

void register_objective_maker(const ObjectiveKind& kind, ObjectiveMaker make) {
  makers()[&kind] = make;
}

TokenPredictions predict_tokens(Seq2Seq& model, const Batch& batch) {
  const auto tokens = force_tokens(model, batch);
  return {model->log_probabilities(tokens.states, tokens.attention, tokens.source), tokens.targets,
          tokens.weights, tokens.attention_of_steps};
}

LossOptions loss_options(const TrainConfig& config) {
  return {config.label_smoothing, config.guided_alignment_weight};
}

TokenLoss batch_loss(Seq2Seq& model, const Batch& batch, const LossOptions& options) {
  const auto tokens = force_tokens(model, batch);
  auto loss = model->loss(tokens.states, tokens.targets, options.label_smoothing, tokens.weights,
                          tokens.attention, tokens.source);
  if (!batch.alignment.defined() || options.guided_alignment_weight == 0) return loss;
  auto alignment = batch.alignment;
  if (batch.weights.defined()) alignment = alignment * batch.weights.view({-1, 1, 1});
  loss.objective = loss.objective + options.guided_alignment_weight *
                                        guided_alignment_loss(tokens.attention_of_steps, alignment);
  return loss;
}

TokenWeights smoothed_weights(double scale, double label_smoothing) {
  return {static_cast<float>(scale * (1 - label_smoothing)),
          static_cast<float>(scale * label_smoothing)};
}

std::vector<int64_t> rows_of_share(const Batch& batch, size_t share, size_t shares) {
  std::vector<int64_t> rows;
  for (int64_t row = 0; row < batch.target_output.size(0); ++row) {
    const int64_t owner = share_of_row(row, static_cast<int64_t>(shares));
    if (owner == static_cast<int64_t>(share)) rows.push_back(row);
  }
  return rows;
}

TokenPairView pair_of_row(const Batch& batch, int64_t row, TokenWeights weights) {
  const int64_t width = batch.target_output.size(1);
  TokenPairView pair;
  if (batch.source.defined()) {
    pair.source = batch.source.data_ptr<int64_t>() + row * batch.source.size(1);
    pair.source_length = batch.source_lengths.data_ptr<int64_t>()[row];
  }
  pair.target_input = batch.target_input.data_ptr<int64_t>() + row * width;
  pair.target_output = batch.target_output.data_ptr<int64_t>() + row * width;
  pair.target_length = length_of(pair.target_output, width);
  pair.weights = weights;
  return pair;
}

std::vector<TokenPairView> pairs_of_share(const Batch& batch, size_t share, size_t shares,
                                          double scale, const LossOptions& options) {
  std::vector<TokenPairView> pairs;
  for (const int64_t row : rows_of_share(batch, share, shares)) {
    const double weight =
        batch.weights.defined() ? scale * double{batch.weights.data_ptr<float>()[row]} : scale;
    pairs.push_back(pair_of_row(batch, row, smoothed_weights(weight, options.label_smoothing)));
    if (!batch.alignment.defined() || options.guided_alignment_weight == 0) continue;
    const float* alignment = batch.alignment.data_ptr<float>() + row * batch.alignment.stride(0);
    pairs.back().alignment = {alignment, batch.alignment.size(2),
                              static_cast<float>(weight * options.guided_alignment_weight)};
  }
  return pairs;
}

std::vector<PackedBatch> packed_shares(const Batch& batch, size_t shares, double scale,
                                       const LossOptions& options) {
  std::vector<PackedBatch> packed;
  for (size_t share = 0; share < shares; ++share) {
    packed.push_back(pack_batch(pairs_of_share(batch, share, shares, scale, options)));
  }
  return packed;
}

}  // namespace nmt
