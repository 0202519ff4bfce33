#pragma once

#include <string_view>

namespace nmt {

/// Whether `letters`, Hangul that directly follows the non-empty `noun`, are up to four particles:
/// 에서는 after 책, but not 상. True without letters.
bool are_korean_particles(std::u32string_view letters, std::u32string_view noun);

}  // namespace nmt
