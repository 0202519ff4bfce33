#pragma once

#include <string>

#include "explain/explanation.h"

namespace nmt {

/// A self-contained HTML page in both languages, initially showing `language`.
std::string explanation_page(const Explanation& explanation, Language language);

/// Only the picture, an SVG file.
std::string explanation_picture(const Explanation& explanation, Language language);

}  // namespace nmt
