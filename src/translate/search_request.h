#pragma once

#include <cstddef>
#include <vector>

#include "decode/search_options.h"
#include "translate/translator.h"

namespace nmt {

// What a user asks of a translation, checked, as the search knows it.

SearchOptions search_options(const TranslationOptions& options);
SamplingOptions sampling_options(const TranslationOptions& options);

/// Throws Error unless there are no constraints or one set for each line, and UsageError if they do
/// not combine with the options.
void require_valid_constraints(const TranslationOptions& options,
                               const std::vector<TranslationConstraints>& constraint_list,
                               size_t num_lines);

}  // namespace nmt
