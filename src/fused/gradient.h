#pragma once

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

  /// forward() and backward(): adds the gradient of the shares' weighted losses
  /// (PackedBatch::weights) to Parameter::gradient; returns Σ −log p(y_t) of the pairs that count.
  /// At most one share, with its dropout, for each thread; without shares, the gradient is
  /// unchanged.
  double add(
      const std::vector<PackedBatch>& shares, const std::vector<Dropout>& dropouts,
      const Complete& complete = [](GradientPart) {}) {
    forward(shares, dropouts);
    return backward(complete);
  }

  /// The model with its current parameters, packed for translation.
  std::unique_ptr<InferenceModel> pack_for_inference() const {
    return pack_inference_model(options_.model, parameters_, WeightType::kFloat32);
  }

  ThreadTeam& team() const { return team_; }

  /// How to pack several targets of one source. Only a recurrent decoder can share their prefixes,
  /// and only if it does not copy: that loss takes one target per row.
  TargetLayout layout_of_shared_sources() const {
    const auto& model = options_.model;
    return model.architecture == Architecture::kRecurrent && !model.copy
               ? TargetLayout::kPrefixTrees
               : TargetLayout::kSequences;
  }

  /// Runs the networks up to h̃. The shares must stay in place until backward().
  void forward(const std::vector<PackedBatch>& shares, const std::vector<Dropout>& dropouts);

  /// After forward(): log p(y | x) of each pair of each share. The caller may compute the pairs'
  /// weights from them before backward().
  std::vector<std::vector<double>> log_probabilities();

  /// With a divergence above 0, pairs 2i and 2i + 1 are copies whose predictions should agree:
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
