#pragma once

#include <cstdint>
#include <functional>

namespace nmt {

/// The peak growth of this process's memory while `work` runs, in bytes; 0 where the system does
/// not report it (only Linux can reset the peak).
int64_t peak_growth(const std::function<void()>& work);

}  // namespace nmt
