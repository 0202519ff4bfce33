#pragma once

#include <cstdint>

#include "fused/decoder.h"
#include "fused/dropout.h"
#include "fused/embedding.h"
#include "fused/encoder.h"
#include "fused/generator_loss.h"
#include "fused/packed_batch.h"
#include "fused/parameter.h"
#include "fused/weight_gradients.h"

namespace nmt {

struct FusedSeq2SeqOptions {
  RecurrentCell cell = RecurrentCell::kGru;
  int64_t num_layers = 1;
  bool input_feeding = true;
  ProductPrecision precision = ProductPrecision::kFloat32;
};

/// Loss and gradient of the model of nn/seq2seq.h for one share of a batch, worked out by hand over
/// packed sentences: the same function of the same parameters as the plain path, which states what
/// is computed. Without LibTorch, without a graph, without work on padding.
///
///   forward(share, dropout)
///   run_loss_block(0 …)     after each: sum weight_gradients(), then clear them
///   backward_decoder()      likewise
///   backward_encoder()      likewise
///
/// Objects that share parameters may run at the same time, one thread each: only summing the
/// gradients of weights writes to what they share (fused/gradient.h).
class FusedSeq2Seq {
 public:
  /// The parameters' memory has to outlive this; values may change between two batches.
  FusedSeq2Seq(const FusedSeq2SeqOptions& options, const ParameterTable& parameters);

  /// Encoder and decoder up to h̃. The share must stay in place until the encoder's backward
  /// pass is summed.
  void forward(const PackedBatch& share, const Dropout& dropout);

  /// Blocks that the output layer's work should be cut into.
  int64_t num_loss_blocks() const;

  /// Output layer and loss of a block, as FusedGeneratorLoss::run_block has it.
  double run_loss_block(int64_t block, int64_t blocks, double label_smoothing, double scale);

  /// From the gradient of h̃ back to the target embedding and the encoder's states.
  void backward_decoder();

  /// From there to the source embedding.
  void backward_encoder();

  WeightGradients& weight_gradients() { return weight_gradients_; }

 private:
  const PackedBatch* share_ = nullptr;
  Dropout dropout_;
  FusedEmbedding source_embedding_;
  FusedEmbedding target_embedding_;
  FusedEncoder encoder_;
  FusedDecoder decoder_;
  FusedGeneratorLoss generator_loss_;
  DecoderGradients decoder_gradients_;
  WeightGradients weight_gradients_;
};

}  // namespace nmt
