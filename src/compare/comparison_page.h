#pragma once

#include <string>

#include "compare/comparison.h"

namespace nmt {

/// A self-contained HTML page in English and Korean: the metrics with their intervals, and the
/// sentences that differ most, with what the reference does not have marked.
std::string comparison_page(const Comparison& comparison, const ComparedTexts& texts,
                            const ComparisonOptions& options);

}  // namespace nmt
