#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "checkpoint/safetensors.h"

namespace nmt {

/// Handles losses and gradients that are not finite. The update is skipped and counted. After
/// kFailuresToRollBack in a row the parameters are rolled back to the last good ones, a copy made
/// every kGoodWeightsEvery updates; the caller then continues with a lower learning rate and a
/// reset optimizer. After kMaxRollbacks without new good weights, the next one is an Error:
/// training has diverged.
///
/// Counts updates, never time, so that a resumed run behaves the same.
class DivergenceGuard {
 public:
  static constexpr int64_t kFailuresToRollBack = 5;
  static constexpr int64_t kMaxRollbacks = 3;
  static constexpr int64_t kGoodWeightsEvery = 100;

  /// `parameters`: all trained parameters, sharing memory with the model's. Their current values
  /// count as good.
  explicit DivergenceGuard(std::vector<NamedTensor> parameters);

  void record_success(int64_t update);

  /// True if the parameters were rolled back. Throws Error after too many rollbacks.
  bool record_failure(int64_t update);

  /// Whether the last update failed, so that another failure may roll back.
  bool has_failures() const { return failures_ > 0; }

  int64_t skipped_updates() const { return skipped_; }

  nlohmann::json counters() const;
  void save_state(TensorFile& state) const;
  void load_state(const TensorFile& state, const nlohmann::json& counters);

 private:
  void remember();

  std::vector<NamedTensor> parameters_;
  std::vector<NamedTensor> good_;  // in the same order
  int64_t failures_ = 0;           // in a row
  int64_t rollbacks_ = 0;          // since good weights were saved
  int64_t skipped_ = 0;            // in total
};

}  // namespace nmt
