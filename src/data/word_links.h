#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/words.h"

namespace nmt {

/// Converts a line of word alignments in Pharaoh format, such as "0-0 1-2" (source-target, words
/// from 0), to aligned tokens {source token, target token, source token, …}: each token of a word
/// with each token of its partner. Throws Error, beginning with `where`, for other text and for
/// words that the pair does not have.
std::vector<int32_t> token_links(const std::string& line, const Words& source, const Words& target,
                                 const std::string& where);

}  // namespace nmt
