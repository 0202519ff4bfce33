#pragma once

#include <cstdint>
#include <vector>

#include "decode/sentence_beam.h"

namespace nmt {

using Phrases = std::vector<std::vector<int32_t>>;

/// Progress of a hypothesis towards its phrases. A phrase that was begun and then broken off counts
/// as not begun.
struct PhraseProgress {
  int64_t missing = 0;          // tokens still to come
  std::vector<int32_t> wanted;  // each of these advances it by one token
};

PhraseProgress phrase_progress(const std::vector<int32_t>& tokens, const Phrases& phrases);

/// Dynamic beam allocation (Post and Vilar 2018, section 3.2): candidates with equally many
/// missing tokens form a bank, and the banks, fewest missing first, choose their best in turn until
/// `beam_size` candidates that do not end are chosen. So a hypothesis that contains a phrase need
/// not beat one without it. Reorders the candidates, and `missing` with them, into the order
/// chosen.
void share_among_banks(const std::vector<int64_t>& missing, int64_t beam_size,
                       std::vector<Candidate>& candidates);

}  // namespace nmt
