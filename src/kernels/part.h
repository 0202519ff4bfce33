#pragma once

#include <algorithm>
#include <cstdint>

namespace nmt {

/// A range of an array of floats or of its rows.
struct Part {
  int64_t first = 0;
  int64_t count = 0;
};

/// The member-th of `members` nearly equal parts of `size` floats, in whole cache lines to avoid
/// false sharing.
inline Part part_of(int64_t size, int member, int members) {
  constexpr int64_t kLine = 16;
  const int64_t lines = (size + kLine - 1) / kLine;
  const int64_t first = std::min(size, lines * member / members * kLine);
  const int64_t end = std::min(size, lines * (member + 1) / members * kLine);
  return {first, end - first};
}

/// The member-th of `members` nearly equal parts of an array's rows.
inline Part rows_of(int64_t rows, int member, int members) {
  const int64_t first = rows * member / members;
  return {first, rows * (member + 1) / members - first};
}

}  // namespace nmt
