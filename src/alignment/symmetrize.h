#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "config/choice.h"

namespace nmt {

/// Aligned words of a pair: source and target, counted from 0.
using LinkSet = std::set<std::pair<int64_t, int64_t>>;

/// How the alignments of both directions are combined.
enum class Symmetrization {
  kGrowDiagFinalAnd,
  kIntersection,
  kUnion,
};

template <>
inline constexpr const char* kChoiceNames<Symmetrization>[] = {"grow-diag-final-and",
                                                               "intersection", "union"};

/// Both `forward` and `backward`, the reverse model's alignment, link source to target words in
/// that order. Grow-diag-final-and (Koehn et al. 2003, section 4.5; "and" as in Moses) begins with
/// the intersection, adds links of the union that touch one and align a word that has no link, then
/// links of either direction between two words that have none.
LinkSet symmetrize(const LinkSet& forward, const LinkSet& backward, Symmetrization method);

}  // namespace nmt
