#pragma once

#include <functional>
#include <vector>

#include "decode/decoding_constraints.h"
#include "translate/constraint_encoder.h"
#include "translate/source_line.h"

namespace nmt {

/// Returns the log-probability of the best translation of each source under its constraints.
using ConstrainedSearch = std::function<std::vector<double>(
    const std::vector<std::vector<int32_t>>& sources, const ConstraintList& constraint_list)>;

/// Distributes a line's constraints to its parts. The prefix's sentences go to the first parts with
/// tokens in turn, without verbatim parts that the prefix repeats; all but the last sentence are
/// complete translations of their part. Each phrase goes to the part whose translation it costs
/// least. Sets SourcePart::before where the prefix determines what is between two parts. `hints`
/// divide the prefix into sentences. Throws Error as ConstraintEncoder does.
ConstraintList plan_constraints(const TranslationConstraints& constraints, SourceLine& line,
                                const ConstraintEncoder& encoder, const ConstrainedSearch& search,
                                const SentenceHints& hints);

}  // namespace nmt
