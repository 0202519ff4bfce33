#include "train/training_outcome.h"

#include <nlohmann/json.hpp>

#include "train/runs/run_state.h"

namespace nmt {

nlohmann::ordered_json best_to_json(const TrainingOutcome& outcome) {
  if (!outcome.best) return nullptr;
  return {{"update", outcome.best_update},
          {"loss", outcome.best->loss},
          {"perplexity", outcome.best->perplexity},
          {"bleu", outcome.best->bleu},
          {"chrf", outcome.best->chrf}};
}

void restore_best(const nlohmann::json& best, TrainingOutcome& outcome) {
  outcome.best.reset();
  if (best.is_null()) return;
  outcome.best_update = best.at("update");
  outcome.best.emplace();
  outcome.best->loss = read_number(best.at("loss"));
  outcome.best->perplexity = read_number(best.at("perplexity"));
  outcome.best->bleu = read_number(best.at("bleu"));
  outcome.best->chrf = read_number(best.at("chrf"));
}

}  // namespace nmt
