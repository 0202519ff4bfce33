#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/settings.h"
#include "fused/buffer.h"
#include "fused/dropout.h"
#include "fused/layer_norm.h"
#include "fused/multi_head_layer.h"
#include "fused/parameter.h"
#include "fused/sentence_rows.h"
#include "fused/weight_gradients.h"

namespace nmt {

/// Where a residual connection drops units.
struct ResidualSite {
  DropoutSite site = DropoutSite::kEncoder;
  int64_t index = 0;  // of the connection, among those of the encoder or decoder
};

/// Residual connection and normalization of a sublayer (nn/transformer_layer.h), forward and
/// backward.
class FusedResidual {
 public:
  FusedResidual(const ParameterTable& parameters, const std::string& name, bool pre_norm,
                ResidualSite site)
      : pre_norm_(pre_norm), site_(site), norm_(parameters, name + ".norm") {}

  /// The sublayer's input: x, normalized if pre-norm. It stays in place until the gradients are
  /// summed.
  ConstMatrix input_of(ConstMatrix x);

  /// Adds the sublayer's output, which it overwrites, to x: in place if pre-norm. Returns the
  /// result.
  Matrix add_output(Matrix output, Matrix x, const Dropout& dropout);

  /// gradient in: of the result; out: of the residual path alone. Writes the gradient of the
  /// sublayer's output to `of_output`.
  void output_gradient(Matrix gradient, const Dropout& dropout, Matrix of_output);

  /// Adds `of_input`, the gradient of the sublayer's input, to `gradient`; overwrites it.
  void add_input_gradient(Matrix of_input, Matrix gradient, WeightGradients& gradients);

 private:
  bool pre_norm_;
  ResidualSite site_;
  FusedLayerNorm norm_;
  Buffer normalized_;  // [rows, H]
};

/// max(0, x W_1 + b_1) W_2 + b_2 (nn/transformer_layer.h), forward and backward.
class FusedFeedForward {
 public:
  FusedFeedForward(const ParameterTable& parameters, const std::string& prefix);

  /// x [rows, H] stays in place until the gradients are summed. y [rows, H]
  void forward(ConstMatrix x, Matrix y);

  /// `gradients` refer to of_widened and dy until they are summed.
  void backward(ConstMatrix dy, Buffer& of_widened, Matrix dx, WeightGradients& gradients);

 private:
  Parameter widen_;
  Parameter widen_bias_;
  Parameter narrow_;
  Parameter narrow_bias_;
  ConstMatrix x_;
  Buffer widened_;  // [rows, F]
};

/// Memory that all layers share; a layer's gradients in it must be summed before the next layer
/// runs.
struct TransformerWorkspace {
  Buffer output;                  // [rows, H]  of a sublayer
  Buffer input_gradient;          // [rows, H]  of a sublayer
  Buffer self_output_gradient;    // [rows, H]
  Buffer source_output_gradient;  // [rows, H]
  Buffer feed_forward_gradient;   // [rows, H]
  Buffer widened_gradient;        // [rows, F]
  MultiHeadLayer::Workspace self;
  MultiHeadLayer::Workspace source;
};

/// The source as a decoder layer sees it.
struct SourceStates {
  const SentenceRows* rows = nullptr;  // of the source of each target
  ConstMatrix states;                  // [source rows, H]
};

/// One layer of the encoder or decoder (nn/transformer_layer.h), forward and backward.
class TransformerNetworkLayer {
 public:
  TransformerNetworkLayer(const ModelConfig& model, const ParameterTable& parameters,
                          DropoutSite site, int64_t index, const std::string& prefix);

  /// x [rows, H] -> the layer's output; with pre-norm in place. `source` is used by the decoder
  /// only. Operands stay in place until the gradients are summed.
  Matrix forward(const SentenceRows& rows, Matrix x, const SourceStates& source,
                 const Dropout& dropout, TransformerWorkspace& workspace);

  /// gradient  in: of the output; out: of x. Adds that of the source's states.
  void backward(Matrix gradient, Matrix source_gradient, const Dropout& dropout,
                TransformerWorkspace& workspace, WeightGradients& gradients);

 private:
  struct SourceAttention {
    MultiHeadLayer attention;
    FusedResidual residual;
  };

  MultiHeadLayer self_;
  FusedResidual around_self_;
  std::optional<SourceAttention> source_;  // of the decoder
  FusedFeedForward feed_forward_;
  FusedResidual around_feed_forward_;
};

}  // namespace nmt
