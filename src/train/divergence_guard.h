#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "checkpoint/safetensors.h"
#include "nn/seq2seq.h"

namespace nmt {

/// What happens when a loss or a gradient is not finite. The update is left out and counted. After
/// kFailuresToRollBack in a row the weights go back to the last good ones, which are remembered
/// every kGoodWeightsEvery updates; the caller goes on from there at a lower learning rate and with
/// a new optimiser. After kMaxRollbacks without new good weights training has diverged.
///
/// All of it counts in updates, never in time, so that a run that was resumed does the same.
class DivergenceGuard {
 public:
  static constexpr int64_t kFailuresToRollBack = 5;
  static constexpr int64_t kMaxRollbacks = 3;
  static constexpr int64_t kGoodWeightsEvery = 100;

  /// The weights as they are count as good.
  explicit DivergenceGuard(const Seq2Seq& model);

  void succeeded(int64_t update, const Seq2Seq& model);

  /// True when the model was given the good weights back. Throws Error when nothing helped.
  bool failed(int64_t update, const Seq2Seq& model);

  int64_t skipped_updates() const { return skipped_; }

  nlohmann::json counters() const;
  void save_state(const Seq2Seq& model, TensorFile& state) const;
  void load_state(const Seq2Seq& model, const TensorFile& state, const nlohmann::json& counters);

 private:
  void remember(const Seq2Seq& model);
  std::vector<NamedTensor> named(const Seq2Seq& model) const;

  int64_t failures_ = 0;             // in a row
  int64_t rollbacks_ = 0;            // since weights were remembered
  int64_t skipped_ = 0;              // in all
  std::vector<torch::Tensor> good_;  // in the order of unique_named_parameters
};

}  // namespace nmt
