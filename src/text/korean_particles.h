#pragma once

#include <string_view>

namespace nmt {

/// Whether Hangul that directly follows a noun, which is not empty, consists of at most four
/// particles: 에서는 after 책, not 상. No letters are none.
bool are_korean_particles(std::u32string_view letters, std::u32string_view noun);

}  // namespace nmt
