#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fused/buffer.h"
#include "fused/dropout.h"
#include "fused/parameter.h"

namespace nmt {

/// Rows of an embedding matrix by token id, with dropout.
class FusedEmbedding {
 public:
  FusedEmbedding(const Parameter& weight, DropoutSite site) : weight_(weight), site_(site) {}

  /// ids [N] -> [N, E]
  ConstMatrix forward(const std::vector<int64_t>& ids, const Dropout& dropout);

  /// Adds gradient [N, E] of the output, which it spoils, to the rows of the weight's gradient.
  void backward(const std::vector<int64_t>& ids, const Dropout& dropout, Matrix gradient);

 private:
  Parameter weight_;
  DropoutSite site_;
  Buffer output_;
  Buffer mask_;
};

}  // namespace nmt
