#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/words.h"

namespace nmt {

/// The token pairs that a line of word alignments in Pharaoh format stands for, such as "0-0 1-2"
/// with words from 0, source first: {source token, target token, source token, …}, each token of a
/// word with each of its partner's. Throws Error for anything else, and for words that the pair
/// lacks; `where` is what messages begin with.
std::vector<int32_t> token_links(const std::string& line, const Words& source, const Words& target,
                                 const std::string& where);

}  // namespace nmt
