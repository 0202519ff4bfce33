#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "config/choices.h"
#include "train/runs/validation_rank.h"

namespace nmt {

/// Tracks one validation metric: whether a value is the best so far and whether it has stalled.
class EarlyStopping {
 public:
  /// patience: consecutive validations without a new best before exhausted(); 0: never.
  EarlyStopping(ValidationMetric metric, int64_t patience);

  /// Records the next one; true when it is the best so far. NaN and infinity never are.
  bool observe(const ValidationRank& rank);

  /// True when a is better than b.
  bool better(const ValidationRank& a, const ValidationRank& b) const {
    return is_better(a, b, lower_is_better_);
  }

  bool exhausted() const { return patience_ > 0 && stalled_ >= patience_; }
  int64_t stalled() const { return stalled_; }

  nlohmann::json to_json() const;
  void restore(const nlohmann::json& state);

 private:
  bool lower_is_better_;
  int64_t patience_;
  int64_t stalled_ = 0;
  std::optional<ValidationRank> best_;
};

}  // namespace nmt
