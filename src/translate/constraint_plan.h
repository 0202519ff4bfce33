#pragma once

#include <functional>
#include <vector>

#include "decode/decoding_constraints.h"
#include "translate/constraint_encoder.h"
#include "translate/source_line.h"

namespace nmt {

/// Log-probabilities of the best translations of some parts under their constraints.
using ConstrainedSearch = std::function<std::vector<double>(
    const std::vector<std::vector<int32_t>>& sources, const ConstraintList& constraint_list)>;

/// The constraints of each part of a line from those of the line. The prefix's sentences are those
/// of the first parts with tokens in turn, without the verbatim parts before them that it repeats;
/// all but its last end there. A phrase belongs to the part whose translation it costs least. Sets
/// SourcePart::before where the prefix says what is between two parts. Throws Error as
/// ConstraintEncoder does.
ConstraintList plan_constraints(const TranslationConstraints& constraints, SourceLine& line,
                                const ConstraintEncoder& encoder, const ConstrainedSearch& search);

}  // namespace nmt
