#pragma once

#include <string>

#include "explain/explanation.h"

namespace nmt {

/// For a terminal of 80 columns. Emphasis is by escape sequences, or not at all.
std::string explanation_text(const Explanation& explanation, Language language, bool emphasis);

}  // namespace nmt
