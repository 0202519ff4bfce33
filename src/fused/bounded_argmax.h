#pragma once

#include <vector>

#include "fused/buffer.h"
#include "kernels/logit_bounds.h"
#include "kernels/matrix.h"
#include "kernels/packed_weight.h"

namespace nmt {

/// Finds the likeliest token of a float32 output layer without computing most of it: a product in
/// 8-bit integers, a quarter of the work, bounds each logit (kernels/logit_bounds.h), and only the
/// few tokens that can be the largest are multiplied in float32. The result is that of the full
/// product.
class BoundedArgmax {
 public:
  /// weight [V, H]; not copied.
  explicit BoundedArgmax(ConstMatrix weight);

  /// The memory of one thread.
  struct Workspace {
    Buffer logits;
    std::vector<LogitErrorBound> error_bounds;  // by row
    std::vector<ArgmaxCandidates> possible;     // by row
  };

  /// Finds the likeliest token of each of the first `best.size()` rows of x [N, H]; of equal ones,
  /// the first; EOS if none is allowed. bias [V]; −∞ excludes a token. Thread-safe with one
  /// workspace per thread.
  void find(ConstMatrix x, const float* bias, Workspace& workspace,
            std::vector<TokenLogit>& best) const;

 private:
  TokenLogit best_of(const ArgmaxCandidates& possible, const float* x, const float* bias) const;

  ConstMatrix weight_;
  std::vector<PackedWeight> blocks_;  // of the vocabulary
  std::vector<float> rounding_;       // [V]
  std::vector<float> norms_;          // [V]
};

}  // namespace nmt
