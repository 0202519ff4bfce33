#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nmt {

/// How many of the text's words are among the most common ones of a language; 0 for a language that
/// is not listed. `file` names it by its extension, such as train.de or train.de.gz.
int64_t count_common_words(std::string_view text, const std::string& file);

}  // namespace nmt
