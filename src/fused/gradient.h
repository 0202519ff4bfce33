#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "fused/seq2seq.h"
#include "fused/weight_copies.h"
#include "support/thread_team.h"

namespace nmt {

/// The gradient of a batch, by a team of threads: each takes a share of the sentences forward and
/// back alone, since threads that share one small product spend their time waiting for each other;
/// then each sums a part of every weight's gradient, for all shares. The order of every sum is
/// fixed, so a run is a function of its seed and the number of threads.
class FusedGradient {
 public:
  /// The parameters' and gradients' memory has to outlive this.
  FusedGradient(const FusedSeq2SeqOptions& options, ParameterTable parameters, ThreadTeam& team);

  /// Adds the gradient of scale · Σ objective to the parameters'; returns Σ −log p(y_t). At most
  /// one share, and its dropout, for each thread.
  double add(const std::vector<PackedBatch>& shares, double label_smoothing, double scale,
             const std::vector<Dropout>& dropouts);

 private:
  void for_each(const std::vector<PackedBatch>& shares,
                const std::function<void(FusedSeq2Seq&, size_t)>& task);
  void sum_weight_gradients();

  ThreadTeam& team_;
  WeightCopies copies_;
  std::vector<std::unique_ptr<FusedSeq2Seq>> models_;  // of each thread
};

}  // namespace nmt
