#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// Width in pixels of a text in a wide sans-serif font of `size` pixels: an upper bound for the
/// fonts that SVG viewers choose.
double text_width(std::string_view text, double size);

/// Width of the widest text.
double text_width(const std::vector<std::string>& texts, double size);

}  // namespace nmt
