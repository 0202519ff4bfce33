#pragma once

#include <cstdint>
#include <vector>

namespace nmt {

/// Embeddings and positions of nn/transformer.h (Vaswani et al. 2017, sections 3.4 and 3.5):
/// PE(p, 2i) = sin(p / 10000^{2i/H}), PE(p, 2i+1) = cos(p / 10000^{2i/H}), computed when a position
/// is first asked for.
class SinusoidalPositions {
 public:
  /// H is even.
  explicit SinusoidalPositions(int64_t size);

  /// [H]; valid until the next call.
  const float* row(int64_t position);

  /// to [H] = √H embedding [H]; both may be the same memory.
  void scale(const float* embedding, float* to) const;

  /// to [H] = √H embedding [H] + PE(position)
  void embed(const float* embedding, int64_t position, float* to);

 private:
  int64_t size_;
  float embedding_scale_;
  std::vector<float> frequencies_;  // [H/2]
  std::vector<float> table_;        // [positions, H]
};

}  // namespace nmt
