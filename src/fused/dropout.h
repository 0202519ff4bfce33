#pragma once

#include <cstdint>

#include "kernels/matrix.h"

namespace nmt {

/// Where the model drops units (nn/seq2seq.h); layers count from 0 within a site.
enum class DropoutSite { kSourceEmbedding, kTargetEmbedding, kEncoder, kDecoder, kAttentional };

/// Dropout of one batch. Which units are dropped follows from its seed, the site and the place in
/// the packed rows: the way back drops the same ones without anything kept.
struct Dropout {
  double probability = 0.0;
  uint64_t seed = 0;

  /// Drops units of rows [first, first + values.rows) of all rows at that site.
  void apply(DropoutSite site, int64_t layer, int64_t first, Matrix values) const;
};

}  // namespace nmt
