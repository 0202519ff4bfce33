#include "data/permutation.h"

#include "numbers/random.h"

namespace nmt {

Permutation::Permutation(uint64_t n, uint64_t seed) : n_(n) {
  while (uint64_t{1} << (2 * half_bits_) < n) ++half_bits_;
  Random random(seed, n);
  for (auto& key : keys_) key = random.next();
  // Every round is an even permutation; the exchange makes the odd ones possible too.
  swap_ = random.below(2);
}

uint64_t Permutation::operator()(uint64_t place) const {
  const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
  do {
    uint64_t left = place >> half_bits_;
    uint64_t right = place & mask;
    for (const uint64_t key : keys_) {
      const uint64_t hash = Random(key, right).next() & mask;
      const uint64_t new_right = left ^ hash;
      left = right;
      right = new_right;
    }
    place = left << half_bits_ | right;
    if (place < 2) place ^= swap_;
  } while (place >= n_);
  return place;
}

}  // namespace nmt
