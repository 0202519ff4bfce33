#pragma once

#include "config/settings.h"
#include "fused/attention.h"
#include "fused/dropout.h"
#include "fused/packed_batch.h"
#include "fused/parameter.h"
#include "fused/weight_gradients.h"

namespace nmt {

/// What the fused engine trains.
struct FusedOptions {
  ModelConfig model;
  ProductPrecision precision = ProductPrecision::kFloat32;
};

/// A model of nn/ up to h̃, the input of the output layer, with hand-written forward and backward
/// passes over one share of a batch, for one thread. Uses no LibTorch and no autograd graph, and
/// does no work on padding. Parameters go by the names of the model's state_dict.
class FusedNetwork {
 public:
  virtual ~FusedNetwork() = default;

  /// -> h̃ [target rows, H]. The share must stay in place, and h̃ is valid, until the gradients that
  /// backward_encoder() records are summed.
  virtual ConstMatrix forward(const PackedBatch& share, const Dropout& dropout) = 0;

  /// The attention of a recurrent translator, from which it may copy; null for other architectures.
  virtual FusedAttention* attention() { return nullptr; }

  /// Takes the gradient of h̃, which it may overwrite; records the gradients of the decoder's
  /// parameters, all together or part by part: returns whether it must be called again. What was
  /// recorded must be summed before the next call, so that parts can share memory.
  virtual bool backward_decoder(Matrix gradient, WeightGradients& gradients) = 0;

  /// Likewise for the encoder's parameters, after backward_decoder() has returned false.
  virtual bool backward_encoder(WeightGradients& gradients) = 0;
};

}  // namespace nmt
