#pragma once

#include <cstdint>
#include <vector>

#include "checkpoint/lexical_shortlist.h"
#include "decode/decoding_constraints.h"

namespace nmt {

/// The candidates of a sentence, including all tokens that its constraints need. `constraints` may
/// be null.
std::vector<int32_t> lexical_candidates(const LexicalShortlist& shortlist,
                                        const std::vector<int32_t>& source,
                                        const DecodingConstraints* constraints);

}  // namespace nmt
