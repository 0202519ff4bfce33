#pragma once

#include <cstdint>
#include <vector>

#include "fused/buffer.h"
#include "fused/packed_batch.h"
#include "fused/parameter.h"

namespace nmt {

/// The model's own predictions of the next token, which replace some of the decoder's inputs in
/// scheduled sampling (PackedBatch::own_inputs). Only the rows asked for are multiplied by the
/// output layer.
class OwnTokens {
 public:
  explicit OwnTokens(const ParameterTable& parameters);

  /// What the model itself would feed to each of `rows`, from h̃ [target rows, H]: argmax_v (W_o h̃ +
  /// b_o)_v of the row's parent; of equal ones, the first.
  const std::vector<int64_t>& inputs_of(const PackedBatch& share, const std::vector<int64_t>& rows,
                                        ConstMatrix attentional_hidden);

 private:
  Parameter weight_;  // [V, H]
  Parameter bias_;    // [1, V]
  std::vector<int64_t> parents_;
  Buffer states_;  // [rows, H]  of the parents
  Buffer logits_;  // [rows, V]
  std::vector<int64_t> tokens_;
};

}  // namespace nmt
