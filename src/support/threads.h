#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>

namespace nmt {

/// How many threads to use: as many as asked for or, for 0, one a core that this process may run
/// on.
inline int number_of_threads(int64_t wanted) {
  if (wanted > 0) return static_cast<int>(wanted);
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace nmt
