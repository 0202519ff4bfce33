#pragma once

#include <cstddef>
#include <vector>

#include "decode/search_options.h"
#include "translate/translator.h"

namespace nmt {

// Checks a user's options and converts them to search options.

SearchOptions search_options(const TranslationOptions& options);

/// Throws Error unless there are constraints for no line or for every line, and UsageError if they
/// do not combine with the options.
void require_valid_constraints(const TranslationOptions& options,
                               const std::vector<TranslationConstraints>& constraint_list,
                               size_t num_lines);

}  // namespace nmt
