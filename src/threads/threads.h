#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "processes/limits.h"

namespace nmt {

/// The number of threads to use: `wanted`, or for 0 this process's share of the cores, of those
/// that it may use, when `processes` share the machine.
inline int number_of_threads(int64_t wanted, int processes = 1) {
  if (wanted > 0) return static_cast<int>(wanted);
  const int64_t share = ::sysconf(_SC_NPROCESSORS_ONLN) / processes;
  return static_cast<int>(std::max<int64_t>(1, std::min<int64_t>(usable_cpus(), share)));
}

}  // namespace nmt
