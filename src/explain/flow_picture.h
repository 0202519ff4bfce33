#pragma once

#include <string>

#include "explain/explanation.h"

namespace nmt {

/// The flow of an attention as a picture: an <svg> element whose style is flow.css. Empty where
/// there are no nodes.
std::string flow_picture(const Explanation& explanation, Language language);

/// A file of the picture alone, of the flow or of what a model learned. `style` is flow.css.
std::string picture_file(const Explanation& explanation, Language language,
                         const std::string& style);

}  // namespace nmt
