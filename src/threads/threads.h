#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <thread>

namespace nmt {

/// The number of threads to use: `wanted`, or for 0 this process's share of the cores when
/// `processes` share the machine.
inline int number_of_threads(int64_t wanted, int processes = 1) {
  if (wanted > 0) return static_cast<int>(wanted);
  const auto allowed = static_cast<int64_t>(std::thread::hardware_concurrency());
  const int64_t share = ::sysconf(_SC_NPROCESSORS_ONLN) / processes;
  return static_cast<int>(std::max<int64_t>(1, std::min(allowed, share)));
}

}  // namespace nmt
