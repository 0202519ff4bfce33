#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nmt {

/// Counts the words of the text that are among the most common words of the language that the
/// extension of `file` names, e.g. train.de or train.de.gz; 0 for a language without a list.
int64_t count_common_words(std::string_view text, const std::string& file);

}  // namespace nmt
