#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fused/seq2seq.h"
#include "fused/weight_copies.h"
#include "threads/thread_team.h"

namespace nmt {

/// Parts of the gradient, in the order in which they are completed.
enum class GradientPart { kOutputLayer, kDecoder, kEncoder };

/// The part that a parameter belongs to, by its state_dict name.
GradientPart gradient_part_of(const std::string& parameter);

/// The gradient of a batch, computed by a team of threads. Each thread runs both passes over its
/// own share of the sentences, because threads that share small products mostly wait for each
/// other; then each sums one part of every weight's gradient over all shares. The order of every
/// sum is fixed, so a run is determined by its seed and the number of threads.
class FusedGradient {
 public:
  /// The memory of the parameters and gradients must outlive this.
  FusedGradient(const FusedOptions& options, ParameterTable parameters, ThreadTeam& team);

  /// Adds the gradient of scale · Σ objective to the parameters'; returns Σ −log p(y_t). At most
  /// one share, with its dropout, for each thread; with none the gradient is unchanged. Calls
  /// `complete` for each part as soon as it is final.
  double add(
      const std::vector<PackedBatch>& shares, double label_smoothing, double scale,
      const std::vector<Dropout>& dropouts,
      const std::function<void(GradientPart)>& complete = [](GradientPart) {});

 private:
  void for_each(const std::vector<PackedBatch>& shares,
                const std::function<void(FusedSeq2Seq&, size_t)>& task);
  void run_backward(const std::vector<PackedBatch>& shares, bool (FusedSeq2Seq::*pass)());
  void sum_weight_gradients();

  ThreadTeam& team_;
  WeightCopies copies_;
  std::vector<std::unique_ptr<FusedSeq2Seq>> models_;  // of each thread
};

}  // namespace nmt
