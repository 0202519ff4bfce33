#pragma once

#include <cstdint>
#include <vector>

#include "data/batch.h"
#include "fused/packed_batch.h"

namespace nmt {

/// The sentence pairs of a batch on the CPU for one of `shares` threads, dealt back and forth
/// because a batch is sorted by length. They point into the batch.
std::vector<TokenPairView> pairs_of_share(const Batch& batch, int64_t share, int64_t shares);

}  // namespace nmt
