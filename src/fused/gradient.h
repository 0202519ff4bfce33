#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fused/inference_model.h"
#include "fused/network.h"
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
  ~FusedGradient();

  /// Called for each part of the gradient as soon as it is final.
  using Complete = std::function<void(GradientPart)>;

  /// Adds the gradient of the weighted losses of the shares (PackedBatch::weights) to the
  /// parameters'; returns Σ −log p(y_t) of the pairs that count. At most one share, with its
  /// dropout, for each thread; with none the gradient is unchanged. Calls forward() and backward().
  double add(
      const std::vector<PackedBatch>& shares, const std::vector<Dropout>& dropouts,
      const Complete& complete = [](GradientPart) {}) {
    forward(shares, dropouts);
    return backward(complete);
  }

  /// The model as it is now, packed for translation.
  std::unique_ptr<InferenceModel> pack_for_inference() const {
    return pack_inference_model(options_.model, parameters_, WeightType::kFloat32);
  }

  ThreadTeam& team() const { return team_; }

  /// How to pack several targets of one source. Only a recurrent decoder can share their prefixes;
  /// the loss of one that copies takes one target a row.
  TargetLayout layout_of_shared_sources() const {
    const auto& model = options_.model;
    return model.architecture == Architecture::kRecurrent && !model.copy
               ? TargetLayout::kPrefixTrees
               : TargetLayout::kSequences;
  }

  /// Up to h̃. The shares must stay in place until backward().
  void forward(const std::vector<PackedBatch>& shares, const std::vector<Dropout>& dropouts);

  /// log p(y | x) of each pair of each share, on which their weights may be made to depend.
  std::vector<std::vector<double>> log_probabilities();

  /// With a divergence above 0 each pair and the next are copies, whose predictions are to agree:
  /// FusedGeneratorLoss::run_block().
  double backward(
      const Complete& complete = [](GradientPart) {}, double divergence = 0.0);

 private:
  struct ShareModel;

  void for_each_share(const std::function<void(ShareModel&, size_t)>& task);
  void run_backward(const std::function<bool(ShareModel&)>& pass);
  void sum_weight_gradients();

  FusedOptions options_;
  ParameterTable parameters_;
  ThreadTeam& team_;
  size_t num_shares_ = 0;
  WeightCopies copies_;
  std::vector<std::unique_ptr<ShareModel>> models_;  // of each thread
};

}  // namespace nmt
