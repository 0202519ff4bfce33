#pragma once

#include <cstdint>
#include <vector>

#include "fused/buffer.h"
#include "fused/parameter.h"

namespace nmt {

/// The model's own predictions of the next token, which replace some of the decoder's inputs in
/// scheduled sampling (PackedBatch::own_inputs). Only the rows asked for are multiplied by the
/// output layer.
class OwnTokens {
 public:
  explicit OwnTokens(const ParameterTable& parameters);

  /// argmax_v (W_o h̃ + b_o)_v for each of `rows` of h̃ [·, H]; of equal ones, the first.
  const std::vector<int64_t>& likeliest(ConstMatrix attentional_hidden,
                                        const std::vector<int64_t>& rows);

 private:
  Parameter weight_;  // [V, H]
  Parameter bias_;    // [1, V]
  Buffer states_;     // [rows, H]
  Buffer logits_;     // [rows, V]
  std::vector<int64_t> tokens_;
};

}  // namespace nmt
