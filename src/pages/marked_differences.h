#pragma once

#include <string>
#include <string_view>

namespace nmt {

/// Two texts as HTML, with <mark> around what only one of them has.
struct MarkedTexts {
  std::string first;
  std::string second;
};

/// Compares words, punctuation marks and, in scripts without spaces, characters, by their longest
/// common subsequence. Texts of more than 4 million pairs of these are not marked.
MarkedTexts mark_differences(std::string_view first, std::string_view second);

}  // namespace nmt
