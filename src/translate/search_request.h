#pragma once

#include <cstddef>
#include <vector>

#include "decode/search_options.h"
#include "translate/translator.h"

namespace nmt {

// What a user asks of a translation, checked, as the search knows it.

SearchOptions search_options(const TranslationOptions& options);
SamplingOptions sampling_options(const TranslationOptions& options);

/// Throws Error unless there are no guides or one for each line, and UsageError when they do not go
/// together with the options.
void require_valid_guides(const TranslationOptions& options,
                          const std::vector<TranslationGuide>& guides, size_t num_lines);

}  // namespace nmt
