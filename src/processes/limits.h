#pragma once

#include <cstdint>
#include <filesystem>

namespace nmt {

/// The number of CPUs that this process may use: by its affinity (taskset) and by the quotas of its
/// control groups (docker run --cpus), rounded up. `root` replaces / in tests.
int usable_cpus(const std::filesystem::path& root = "/");

/// Bytes of memory that this process can get: the least of what is available on the machine, the
/// limits of its control groups and its address space.
uint64_t available_memory(const std::filesystem::path& root = "/");

}  // namespace nmt
