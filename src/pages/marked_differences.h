#pragma once

#include <string>
#include <string_view>

namespace nmt {

/// Two texts as HTML, with <mark> around what occurs in only one of them.
struct MarkedTexts {
  std::string first;
  std::string second;
};

/// Compares words, punctuation marks and, in scripts without spaces, characters, by their longest
/// common subsequence. Texts with more than 4 million pairs of these units are not marked.
MarkedTexts mark_differences(std::string_view first, std::string_view second);

}  // namespace nmt
