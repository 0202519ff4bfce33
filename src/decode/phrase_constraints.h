#pragma once

#include <cstdint>
#include <vector>

#include "decode/sentence_beam.h"

namespace nmt {

/// Progress of a hypothesis towards its phrases. A phrase that was begun and then broken off, or
/// continued to a longer word, counts as not begun.
struct PhraseProgress {
  int64_t missing = 0;          // tokens still to come
  std::vector<int32_t> wanted;  // next tokens that each advance a phrase by one token
  bool begun = false;           // by part of a phrase
};

PhraseProgress phrase_progress(const std::vector<int32_t>& tokens,
                               const DecodingConstraints& constraints);

/// The phrase's first occurrence whose last word is not continued by the following token; else
/// tokens.end(). An occurrence at the end of the tokens counts unless `next_joins`: the next token
/// continues it. `joints` may be null.
std::vector<int32_t>::const_iterator find_phrase(const std::vector<int32_t>& tokens,
                                                 const std::vector<int32_t>& phrase,
                                                 const TokenJoints* joints,
                                                 bool next_joins = false);

/// Dynamic beam allocation (Post and Vilar 2018, section 3.2): candidates with equally many
/// missing tokens form a bank, and the banks, fewest missing first, choose their best in turn until
/// `beam_size` candidates that do not end are chosen. So a hypothesis that contains a phrase need
/// not beat one without it. Reorders the candidates into the order chosen. `missing`: how many
/// tokens each lacks, in the order given.
void share_among_banks(const std::vector<int64_t>& missing, int64_t beam_size,
                       std::vector<Candidate>& candidates);

}  // namespace nmt
