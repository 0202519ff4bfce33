#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fused/generator_loss.h"
#include "fused/network.h"

namespace nmt {

/// Loss and gradient of a model for one share of a batch: the same function of the same parameters
/// as the plain path (nn/seq2seq.h), which is the reference.
///
///   forward(share, dropout)
///   log_probabilities()     where the weights of the loss depend on them
///   run_loss_block(0 …)     after each: sum weight_gradients(), then clear them
///   backward_decoder()      likewise
///   backward_encoder()      likewise
///
/// Objects that share parameters may run concurrently, one thread each: only the summation of the
/// weights' gradients writes to shared memory (fused/gradient.h).
class FusedSeq2Seq {
 public:
  /// The parameters' memory must outlive this; values may change between batches.
  FusedSeq2Seq(const FusedOptions& options, const ParameterTable& parameters);

  /// The network up to h̃. The share must stay in place until the encoder's backward pass is summed.
  void forward(const PackedBatch& share, const Dropout& dropout);

  /// log p(y | x) of each pair.
  std::vector<double> log_probabilities() { return generator_loss_.log_probabilities(); }

  /// The number of blocks for the output layer.
  int64_t num_loss_blocks() const { return generator_loss_.num_blocks(); }

  /// Output layer and loss of a block: FusedGeneratorLoss::run_block().
  double run_loss_block(int64_t block, int64_t blocks, float divergence);

  /// Propagates the gradient of h̃ to the target embedding and the encoder's states; returns whether
  /// it must be called again.
  bool backward_decoder();

  /// Likewise on to the source embedding.
  bool backward_encoder();

  WeightGradients& weight_gradients() { return weight_gradients_; }

 private:
  std::unique_ptr<FusedNetwork> network_;
  FusedGeneratorLoss generator_loss_;
  WeightGradients weight_gradients_;
};

}  // namespace nmt
