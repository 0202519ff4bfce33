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

/// Parts of the gradient in the order in which they are complete.
enum class GradientPart { kOutputLayer, kDecoder, kEncoder };

/// The part that the gradient of a parameter, by its state_dict name, is complete with.
GradientPart gradient_part_of(const std::string& parameter);

/// The gradient of a batch, by a team of threads: each takes a share of the sentences forward and
/// back alone, since threads that share one small product spend their time waiting for each other;
/// then each sums a part of every weight's gradient, for all shares. The order of every sum is
/// fixed, so a run is a function of its seed and the number of threads.
class FusedGradient {
 public:
  /// The parameters' and gradients' memory has to outlive this.
  FusedGradient(const FusedSeq2SeqOptions& options, ParameterTable parameters, ThreadTeam& team);

  /// Adds the gradient of scale · Σ objective to the parameters'; returns Σ −log p(y_t). At most
  /// one share, and its dropout, for each thread; without any the gradient stays as it is.
  /// `complete` is told of every part when nothing more will be added to it.
  double add(
      const std::vector<PackedBatch>& shares, double label_smoothing, double scale,
      const std::vector<Dropout>& dropouts,
      const std::function<void(GradientPart)>& complete = [](GradientPart) {});

 private:
  void for_each(const std::vector<PackedBatch>& shares,
                const std::function<void(FusedSeq2Seq&, size_t)>& task);
  void sum_weight_gradients();

  ThreadTeam& team_;
  WeightCopies copies_;
  std::vector<std::unique_ptr<FusedSeq2Seq>> models_;  // of each thread
};

}  // namespace nmt
