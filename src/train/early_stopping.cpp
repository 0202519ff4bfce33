#include "train/early_stopping.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "files/json.h"

namespace nmt {

EarlyStopping::EarlyStopping(ValidationMetric metric, int64_t patience)
    : lower_is_better_(lower_is_better(metric)), patience_(patience) {}

bool EarlyStopping::observe(const ValidationRank& rank) {
  const bool improved = std::isfinite(rank.value) && (!best_ || better(rank, *best_));
  if (improved) best_ = rank;
  stalled_ = improved ? 0 : stalled_ + 1;
  return improved;
}

nlohmann::json EarlyStopping::to_json() const {
  nlohmann::json state = {{"stalled", stalled_}};
  if (best_) {
    state["best"] = best_->value;
    state["best_loss"] = best_->loss;
  }
  return state;
}

void EarlyStopping::restore(const nlohmann::json& state) {
  stalled_ = state.at("stalled");
  best_.reset();
  if (state.contains("best"))
    best_ = {state["best"].get<double>(), read_number(state, "best_loss")};
}

}  // namespace nmt
