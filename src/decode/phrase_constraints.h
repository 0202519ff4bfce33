#pragma once

#include <cstdint>
#include <vector>

#include "decode/sentence_beam.h"

namespace nmt {

using Phrases = std::vector<std::vector<int32_t>>;

/// How far a hypothesis is with the phrases that it has to hold. A phrase that was begun and not
/// gone on with counts as not begun.
struct PhraseProgress {
  int64_t missing = 0;          // tokens still to come
  std::vector<int32_t> wanted;  // any of these brings it a token further
};

PhraseProgress phrase_progress(const std::vector<int32_t>& tokens, const Phrases& phrases);

/// Dynamic beam allocation (Post and Vilar 2018, section 3.2): candidates that miss equally many
/// tokens are a bank, and the banks, from the one that misses least, choose their best in turn
/// until `beam_size` that do not end are chosen. So a hypothesis with a constraint does not have to
/// beat one that is still without. `missing` belongs to the candidates, which it leaves in the
/// order chosen.
void share_among_banks(const std::vector<int64_t>& missing, int64_t beam_size,
                       std::vector<Candidate>& candidates);

}  // namespace nmt
