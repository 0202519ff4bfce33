#include "fused/packed_sequences.h"

#include <algorithm>
#include <numeric>

namespace nmt {

std::vector<int64_t> PackedSequences::places() const {
  std::vector<int64_t> places(order.size());
  for (size_t place = 0; place < places.size(); ++place) {
    places[static_cast<size_t>(order[place])] = static_cast<int64_t>(place);
  }
  return places;
}

PackedSequences pack_sequences(const std::vector<int64_t>& lengths) {
  const auto length_of = [&](int64_t sequence) { return lengths[static_cast<size_t>(sequence)]; };
  PackedSequences packed;
  packed.order.resize(lengths.size());
  std::iota(packed.order.begin(), packed.order.end(), 0);
  std::stable_sort(packed.order.begin(), packed.order.end(),
                   [&](int64_t a, int64_t b) { return length_of(a) > length_of(b); });
  for (const int64_t sequence : packed.order) packed.lengths.push_back(length_of(sequence));
  packed.step_begin.push_back(0);
  int64_t rows = packed.num_sequences();
  for (int64_t step = 0; step < packed.lengths.front(); ++step) {
    while (packed.lengths[static_cast<size_t>(rows - 1)] <= step) --rows;
    packed.step_begin.push_back(packed.step_begin.back() + rows);
  }
  return packed;
}

}  // namespace nmt
