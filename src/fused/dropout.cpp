#include "fused/dropout.h"

#include "kernels/elementwise.h"

namespace nmt {
namespace {

/// SplitMix64 (Steele, Lea and Flood 2014): seeds that differ in one bit become unrelated.
uint64_t mixed(uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

}  // namespace

void Dropout::apply(DropoutSite site, int64_t layer, int64_t first, Matrix values) const {
  if (probability == 0) return;
  constexpr uint64_t kMaxLayers = 1024;
  const uint64_t place = static_cast<uint64_t>(site) * kMaxLayers + static_cast<uint64_t>(layer);
  drop_out(mixed(seed ^ mixed(place)), static_cast<float>(probability), first, values);
}

}  // namespace nmt
