#include "train/early_stopping.h"

#include <cmath>

namespace nmt {

EarlyStopping::EarlyStopping(const std::string& metric, int64_t patience)
    : lower_is_better_(metric == "loss" || metric == "perplexity"), patience_(patience) {}

bool EarlyStopping::observe(double value) {
  const bool improved = !std::isnan(value) && (!best_ || better(value, *best_));
  if (improved) best_ = value;
  stalled_ = improved ? 0 : stalled_ + 1;
  return improved;
}

}  // namespace nmt
