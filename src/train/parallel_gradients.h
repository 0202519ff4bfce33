#pragma once

#include <cstdint>
#include <vector>

#include "data/batch.h"
#include "nn/seq2seq.h"

namespace nmt {

/// Computes the gradient of a batch on several threads: each takes an equal share of the sentences
/// and a replica of the model that shares its parameters and has gradients of its own. Threads that
/// share one small matrix product spend their time waiting for each other; these do not meet before
/// the sum at the end, which is always taken in the same order.
class ParallelGradients {
 public:
  /// threads: at least 1. On a GPU, one.
  ParallelGradients(const Seq2Seq& model, int threads);

  /// Adds the gradient of Σ objective · scale to the model's. Returns Σ −log p(y_t).
  double add(const Batch& batch, double label_smoothing, double scale);

 private:
  void collect();

  std::vector<Seq2Seq> replicas_;                       // the first is the model itself
  std::vector<std::vector<torch::Tensor>> parameters_;  // of each replica, in the same order
};

}  // namespace nmt
