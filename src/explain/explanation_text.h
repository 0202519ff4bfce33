#pragma once

#include <string>

#include "explain/explanation.h"

namespace nmt {

/// For a terminal of 80 columns; `emphasis` adds escape sequences.
std::string explanation_text(const Explanation& explanation, Language language, bool emphasis);

}  // namespace nmt
