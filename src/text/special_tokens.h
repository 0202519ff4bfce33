#pragma once

#include <cstdint>

namespace nmt {

/// Token ids that mean the same in every vocabulary of this program.
constexpr int32_t kPadId = 0;
constexpr int32_t kUnknownId = 1;
constexpr int32_t kBosId = 2;
constexpr int32_t kEosId = 3;

}  // namespace nmt
