#pragma once

#include <string_view>

namespace nmt {

// What ends a sentence: before white space, and in scripts without spaces anywhere.
inline constexpr std::string_view kNarrowSentenceMarks[] = {".", "!", "?"};
inline constexpr std::string_view kWideSentenceMarks[] = {"。", "！", "？"};

}  // namespace nmt
