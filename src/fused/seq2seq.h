#pragma once

#include <cstdint>

#include "fused/decoder.h"
#include "fused/dropout.h"
#include "fused/embedding.h"
#include "fused/encoder.h"
#include "fused/generator_loss.h"
#include "fused/packed_batch.h"
#include "fused/parameter.h"

namespace nmt {

struct FusedSeq2SeqOptions {
  RecurrentCell cell = RecurrentCell::kGru;
  int64_t num_layers = 1;
  bool input_feeding = true;
};

/// Loss and gradient of the model of nn/seq2seq.h, worked out by hand over packed batches: the same
/// function of the same parameters as the plain path, which states what is computed. Without
/// LibTorch, without a graph, without work on padding. One object serves one thread at a time.
class FusedSeq2Seq {
 public:
  /// The parameters' memory has to outlive this; values may change between two calls.
  FusedSeq2Seq(const FusedSeq2SeqOptions& options, const ParameterTable& parameters);

  /// Adds the gradient of scale · Σ objective to the parameters'; returns Σ −log p(y_t).
  double add_gradient(const PackedBatch& batch, double label_smoothing, double scale,
                      const Dropout& dropout);

 private:
  FusedEmbedding source_embedding_;
  FusedEmbedding target_embedding_;
  FusedEncoder encoder_;
  FusedDecoder decoder_;
  FusedGeneratorLoss generator_loss_;
};

}  // namespace nmt
