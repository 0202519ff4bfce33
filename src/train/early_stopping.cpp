#include "train/early_stopping.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace nmt {

EarlyStopping::EarlyStopping(ValidationMetric metric, int64_t patience)
    : lower_is_better_(lower_is_better(metric)), patience_(patience) {}

bool EarlyStopping::observe(double value) {
  const bool improved = std::isfinite(value) && (!best_ || better(value, *best_));
  if (improved) best_ = value;
  stalled_ = improved ? 0 : stalled_ + 1;
  return improved;
}

nlohmann::json EarlyStopping::to_json() const {
  nlohmann::json state = {{"stalled", stalled_}};
  if (best_) state["best"] = *best_;
  return state;
}

void EarlyStopping::restore(const nlohmann::json& state) {
  stalled_ = state.at("stalled");
  best_.reset();
  if (state.contains("best")) best_ = state["best"].get<double>();
}

}  // namespace nmt
