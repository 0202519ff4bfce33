#pragma once

#include <cstdint>

#include "fused/buffer.h"
#include "kernels/matrix.h"

namespace nmt {

/// Where the model drops units (nn/seq2seq.h); layers count from 0 within a site.
enum class DropoutSite { kSourceEmbedding, kTargetEmbedding, kEncoder, kDecoder, kAttentional };

/// Dropout of one batch: masks are drawn from its seed, the site and the place in the packed rows.
struct Dropout {
  double probability = 0.0;
  uint64_t seed = 0;

  /// Draws a mask into `mask`, [rows, columns] of values; with probability 0 nothing is drawn.
  void draw(DropoutSite site, int64_t layer, int64_t rows, int64_t columns, Buffer& mask) const;

  /// values *= rows [first, …) of the mask.
  void apply(const Buffer& mask, int64_t first, Matrix values) const;
};

}  // namespace nmt
