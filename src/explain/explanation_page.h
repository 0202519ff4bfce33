#pragma once

#include <string>

#include "explain/explanation.h"

namespace nmt {

/// One HTML page that needs no other file, in both languages, of which it shows the one at first.
std::string explanation_page(const Explanation& explanation, Language language);

/// The picture alone, an SVG file.
std::string explanation_picture(const Explanation& explanation, Language language);

}  // namespace nmt
