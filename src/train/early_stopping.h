#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "config/choices.h"

namespace nmt {

/// Watches one validation metric: is it the best so far, has it stalled too long?
class EarlyStopping {
 public:
  /// patience: validations in a row without a new best; 0 never stops.
  EarlyStopping(ValidationMetric metric, int64_t patience);

  /// Records the next value; true when it is the best so far. NaN and infinity never are.
  bool observe(double value);

  /// True when a is better than b.
  bool better(double a, double b) const { return lower_is_better_ ? a < b : a > b; }

  bool exhausted() const { return patience_ > 0 && stalled_ >= patience_; }
  int64_t stalled() const { return stalled_; }

  nlohmann::json to_json() const;
  void restore(const nlohmann::json& state);

 private:
  bool lower_is_better_;
  int64_t patience_;
  int64_t stalled_ = 0;
  std::optional<double> best_;
};

}  // namespace nmt
