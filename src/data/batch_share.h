#pragma once

#include <cstdint>

namespace nmt {

/// Which part of every batch one of several processes or threads has.
struct BatchShare {
  int rank = 0;
  int size = 1;
};

/// Whose a row of a batch is: dealt there and back again, since a batch is sorted by length.
inline int64_t share_of_row(int64_t row, int64_t shares) {
  const int64_t place = row % shares;
  return row / shares % 2 == 0 ? place : shares - 1 - place;
}

}  // namespace nmt
