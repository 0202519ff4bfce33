#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nmt {

/// "repetition: …" where the translation says the same over and over: words that stand four times
/// in a row, or two and more together three times, unless the source does too. Else empty.
std::string repetition_warning(const std::vector<std::string>& source_words,
                               const std::vector<std::string>& words);

/// "coverage: …" where two source words or more in a row got almost no attention: less than 0.05,
/// in all steps together, of what one step has to give. Else empty. Names the longest such run.
/// Single words are no sign: many say little, and their neighbours' states know of them.
std::string coverage_warning(const std::vector<std::string>& source_words,
                             const std::vector<double>& attention_sums);

/// "length: …" where the translation has all the tokens that it may have. Else empty.
std::string length_warning(int64_t num_tokens, int64_t limit);

}  // namespace nmt
