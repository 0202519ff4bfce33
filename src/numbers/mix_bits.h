#pragma once

#include <cstdint>

namespace nmt {

/// A hash of a number: the finaliser of SplitMix64 (Steele et al. 2014).
inline uint64_t mix_bits(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31);
}

}  // namespace nmt
