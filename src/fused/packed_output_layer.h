#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "fused/bounded_argmax.h"
#include "kernels/matrix.h"
#include "kernels/packed_weight.h"
#include "kernels/selected_outputs.h"

namespace nmt {

/// The output layer W_o h̃ + b_o, packed in blocks of tokens, so that the logits of a block are used
/// while they are in cache. Shared by any number of threads.
class PackedOutputLayer {
 public:
  static constexpr int64_t kBlockTokens = 1024;

  /// weight [V, H], bias [V]; both must outlive this.
  PackedOutputLayer(ConstMatrix weight, const float* bias, WeightType type);

  int64_t vocabulary_size() const { return weight_.rows; }
  const std::vector<PackedWeight>& blocks() const { return blocks_; }
  ConstMatrix weight() const { return weight_; }
  const float* bias() const { return bias_; }

  /// For greedy search; null for int8 models, whose own products are as fast. Made on demand.
  const BoundedArgmax* argmax() const;

  /// W_o h̃ for some tokens of each row (kernels/selected_outputs.h), in the precision of the
  /// packed weights.
  void multiply_selected(ConstMatrix x, const std::vector<OutputSelection>& selections,
                         Matrix y) const;

 private:
  ConstMatrix weight_;
  const float* bias_;
  std::vector<PackedWeight> blocks_;
  bool is_float_;
  mutable std::once_flag argmax_once_;
  mutable std::unique_ptr<BoundedArgmax> argmax_;
  mutable std::once_flag rows_once_;
  mutable std::unique_ptr<IntegerRows> rows_;  // of int8 models, made on demand
};

}  // namespace nmt
