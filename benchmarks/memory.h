#pragma once

#include <cstdint>
#include <functional>

namespace nmt {

/// Bytes by which the memory of this process grows at most while `work` runs. 0 where the system
/// does not tell (it is Linux that can forget an earlier peak).
int64_t peak_growth(const std::function<void()>& work);

}  // namespace nmt
