#pragma once

#include <cstdint>
#include <string_view>

namespace nmt {

/// Token ids that mean the same in every vocabulary of this program.
constexpr int32_t kPadId = 0;
constexpr int32_t kUnknownId = 1;
constexpr int32_t kBosId = 2;
constexpr int32_t kEosId = 3;

constexpr std::string_view kSpaceMark = "\u2581";  // of SentencePiece's pieces

}  // namespace nmt
