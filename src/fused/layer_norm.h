#pragma once

#include <cstdint>
#include <string>

#include "fused/buffer.h"
#include "fused/parameter.h"
#include "fused/weight_gradients.h"

namespace nmt {

/// Layer normalization (kernels/layer_norm.h) in training, of rows given all at once or step by
/// step:
///
///   begin(rows)
///   forward(first, x, y) …
///   backward(first, gradient) …
///   add_weight_gradients()        once
class FusedLayerNorm {
 public:
  /// The parameters `name`.weight and `name`.bias.
  FusedLayerNorm(const ParameterTable& parameters, const std::string& name)
      : FusedLayerNorm(parameters.at(name + ".weight"), parameters.at(name + ".bias")) {}
  /// `bias` is optional: it may be a Parameter without data.
  FusedLayerNorm(const Parameter& weight, const Parameter& bias) : weight_(weight), bias_(bias) {}

  /// For this many rows in total.
  void begin(int64_t rows);

  /// Rows [first, first + x.rows); x and y [·, H] may be the same memory and need not be kept.
  void forward(int64_t first, ConstMatrix x, Matrix y);

  /// gradient, of the same rows  in: of y; out: of x.
  void backward(int64_t first, Matrix gradient);

  void add_weight_gradients(WeightGradients& gradients) const;

 private:
  Parameter weight_;
  Parameter bias_;
  Buffer normalized_;        // [rows, H]
  Buffer scales_;            // [1, rows]
  Buffer weight_gradients_;  // [2, H]  of the weight, of the bias
};

/// Layer normalization in translation.
class InferenceLayerNorm {
 public:
  /// The parameters `name`.weight and `name`.bias, whose memory must outlive this.
  InferenceLayerNorm(const ParameterTable& parameters, const std::string& name)
      : InferenceLayerNorm(parameters.at(name + ".weight"), parameters.at(name + ".bias")) {}
  /// `bias` is optional: it may be a Parameter without data.
  InferenceLayerNorm(const Parameter& weight, const Parameter& bias)
      : weight_(weight.value.data), bias_(bias.value.data) {}

  /// x and y [N, H] may be the same memory.
  void apply(ConstMatrix x, Matrix y) const;

 private:
  const float* weight_;
  const float* bias_;
};

}  // namespace nmt
