#pragma once

#include <array>
#include <cstdint>

namespace nmt {

/// A pseudo-random permutation of the numbers below n. Each place is computed independently, so no
/// list is in memory. The order is the same on every machine.
///
/// A Feistel network permutes the numbers of an even number of bits (Luby and Rackoff 1988; each
/// round XORs one half with a keyed hash of the other). It is reapplied until the result is below
/// n, which always happens because it is a permutation (cycle walking, Black and Rogaway 2002).
class Permutation {
 public:
  /// n from 1 to 2⁶².
  Permutation(uint64_t n, uint64_t seed);

  /// The number at `place`, which must be below n.
  uint64_t operator()(uint64_t place) const;

 private:
  static constexpr int kRounds = 8;

  uint64_t n_;
  int half_bits_ = 1;
  std::array<uint64_t, kRounds> keys_{};
  uint64_t swap_ = 0;  // 1: the results 0 and 1 are exchanged
};

}  // namespace nmt
