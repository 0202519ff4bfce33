#pragma once

#include <string>
#include <vector>

#include "compare/comparison.h"

namespace nmt {

/// A self-contained HTML page in English and Korean: the metrics with their intervals, and the
/// sentences that differ most, with words that the reference lacks highlighted. Several comparisons
/// are preceded by a table of all systems.
std::string comparison_page(const std::vector<ComparedSystems>& compared,
                            const ComparisonOptions& options);

}  // namespace nmt
