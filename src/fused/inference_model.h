#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fused/buffer.h"
#include "fused/parameter.h"
#include "fused/recurrent_layer.h"
#include "fused/seq2seq.h"
#include "fused/token_table.h"
#include "fused/weight_copies.h"
#include "kernels/packed_weight.h"

namespace nmt {

/// A trained model made ready for translation: the weights of the decoder's steps packed, in
/// float32 or as 8-bit integers. Shared by any number of threads.
class InferenceModel {
 public:
  /// The parameters' memory has to outlive this; their gradients are not looked at.
  InferenceModel(const FusedSeq2SeqOptions& options, ParameterTable parameters, WeightType type);

  struct DecoderLayer {
    std::optional<PackedWeight> input;  // W_ih  [gates · H, H]; of the first layer the part that
                                        // meets h̃, none without input feeding
    PackedWeight hidden;                // W_hh  [gates · H, H]
    const float* input_bias;            // the first layer has it in the table
    const float* hidden_bias;
  };

  const FusedSeq2SeqOptions& options() const { return options_; }
  const ParameterTable& parameters() const { return parameters_; }
  int64_t hidden_size() const { return concat_.outputs(); }
  int64_t vocabulary_size() const { return generator_.outputs(); }
  const std::vector<DecoderLayer>& layers() const { return layers_; }
  TokenTable& tokens() const { return tokens_; }
  const PackedWeight& concat() const { return concat_; }
  const float* concat_bias() const { return parameters_.at("concat.bias").value.data; }
  const PackedWeight& generator() const { return generator_; }
  const float* generator_bias() const { return parameters_.at("generator.output.bias").value.data; }

 private:
  FusedSeq2SeqOptions options_;
  ParameterTable parameters_;
  WeightCopies copies_;  // for the encoder
  mutable TokenTable tokens_;
  std::vector<DecoderLayer> layers_;
  PackedWeight concat_;     // W_c [H, 2H]
  PackedWeight generator_;  // W_o [V, H]
};

}  // namespace nmt
