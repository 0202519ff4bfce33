#pragma once

#include <cstdint>
#include <vector>

#include "fused/buffer.h"
#include "kernels/logit_screen.h"
#include "kernels/matrix.h"
#include "kernels/packed_weight.h"

namespace nmt {

/// Finds the likeliest token by an output layer in float32 without multiplying most of it: a
/// product in 8-bit integers, a quarter of the work, says of each logit within which bounds it lies
/// (kernels/logit_screen.h), and only the few tokens that may be the largest are multiplied
/// exactly. What is found is what the whole product would find.
class OutputScreen {
 public:
  /// weight [V, H], which has to stay where it is.
  explicit OutputScreen(ConstMatrix weight);

  /// What one thread needs.
  struct Room {
    Buffer logits;
    std::vector<LogitError> errors;    // by row
    std::vector<LogitScreen> screens;  // by row
  };

  /// The likeliest token of each of the first `best.size()` rows of x [N, H], the first of equal
  /// ones. bias [V]; one of −∞ shuts a token out. Any number of threads at once.
  void find(ConstMatrix x, const float* bias, Room& room, std::vector<TokenLogit>& best) const;

 private:
  TokenLogit best_of(const LogitScreen& screen, const float* x, const float* bias) const;

  ConstMatrix weight_;
  std::vector<PackedWeight> blocks_;  // of the vocabulary
  std::vector<float> rounding_;       // [V]
  std::vector<float> norms_;          // [V]
};

}  // namespace nmt
