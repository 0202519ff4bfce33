#pragma once

#include <cstdint>
#include <vector>

#include "checkpoint/safetensors.h"
#include "nn/seq2seq.h"

namespace nmt {

/// Exponential moving average of a model's weights, which often translates better than the last
/// weights (Polyak and Juditsky 1992, with TensorFlow's warm-up):
///
///   average ← d·average + (1 − d)·weights,   d = min(decay, (1 + n)/(10 + n)) at the n-th update
class WeightAverage {
 public:
  WeightAverage(const Seq2Seq& model, double decay);

  /// Call after every update.
  void update(const Seq2Seq& model);

  /// Restarts from the model's weights.
  void reset(const Seq2Seq& model);

  /// Swaps the average and the model's weights.
  void exchange(const Seq2Seq& model);

  void save_state(TensorFile& state) const;
  void load_state(const Seq2Seq& model, const TensorFile& state);

 private:
  double decay_;
  int64_t updates_ = 0;
  std::vector<NamedTensor> averages_;  // in the order of unique_named_parameters
};

/// RAII guard: during its lifetime the model has the averaged weights, or its own if `average` is
/// null.
class AveragedWeights {
 public:
  AveragedWeights(WeightAverage* average, const Seq2Seq& model);
  ~AveragedWeights();
  AveragedWeights(const AveragedWeights&) = delete;
  AveragedWeights& operator=(const AveragedWeights&) = delete;

 private:
  WeightAverage* average_;
  const Seq2Seq& model_;
};

}  // namespace nmt
