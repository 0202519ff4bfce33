#include "train/objectives/objective.h"

#include <ATen/ATen.h>

#include <map>

#include "text/special_tokens.h"

namespace nmt {
namespace {

std::map<const ObjectiveKind*, ObjectiveMaker>& makers() {
#define NMT_MAKER(name) {&name##_objective(), make_##name##_objective},
  static std::map<const ObjectiveKind*, ObjectiveMaker> all = {NMT_OBJECTIVES(NMT_MAKER)};
#undef NMT_MAKER
  return all;
}

}  // namespace

std::unique_ptr<Objective> make_objective(const TrainConfig& config, const Tokenizers& tokenizers,
                                          const torch::Device& device) {
  return makers().at(config.objective)(config, tokenizers, device);
}

void register_objective_maker(const ObjectiveKind& kind, ObjectiveMaker make) {
  makers()[&kind] = make;
}

TokenPredictions predict_tokens(Seq2Seq& model, const Batch& batch) {
  const auto attentional_hidden = model(batch.source, batch.source_lengths, batch.target_input);
  const auto target = batch.target_output.reshape(-1);                         // [B·T]
  const auto real = (target != kPadId).nonzero().squeeze(1);                   // [M]
  const auto states = attentional_hidden.flatten(0, 1).index_select(0, real);  // [M, H]
  return {model->log_probabilities(states), target.index_select(0, real)};
}

TokenLoss batch_loss(Seq2Seq& model, const Batch& batch, double label_smoothing) {
  const auto predictions = predict_tokens(model, batch);
  return token_loss(predictions.log_probabilities, predictions.targets, label_smoothing);
}

}  // namespace nmt
