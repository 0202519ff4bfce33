#pragma once

#include <cstddef>
#include <vector>

#include "decode/search_options.h"
#include "translate/translator.h"

namespace nmt {

// A user's options, checked and converted to those of the search.

SearchOptions search_options(const TranslationOptions& options);

/// Throws Error unless constraints are given for no line or for each, and UsageError if they do
/// not combine with the options.
void require_valid_constraints(const TranslationOptions& options,
                               const std::vector<TranslationConstraints>& constraint_list,
                               size_t num_lines);

}  // namespace nmt
