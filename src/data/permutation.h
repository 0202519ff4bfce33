#pragma once

#include <array>
#include <cstdint>

namespace nmt {

/// The numbers below n in an order drawn by a seed, each place computed on its own: no list of them
/// is in memory. The order is the same on every machine.
///
/// A Feistel network permutes the numbers of an even count of bits (Luby and Rackoff 1988; a round
/// adds to one half a keyed hash of the other); where that leads to n or beyond, it is applied
/// again until it leads below n, which it does at last because it permutes (cycle walking, Black
/// and Rogaway 2002).
class Permutation {
 public:
  /// n from 1 to 2⁶².
  Permutation(uint64_t n, uint64_t seed);

  /// The number at the place-th place; places below n.
  uint64_t operator()(uint64_t place) const;

 private:
  static constexpr int kRounds = 8;

  uint64_t n_;
  int half_bits_ = 1;
  std::array<uint64_t, kRounds> keys_{};
  uint64_t swap_ = 0;  // 1: what would go to 0 goes to 1 and the other way round
};

}  // namespace nmt
