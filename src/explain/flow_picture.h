#pragma once

#include <string>

#include "attention_views/attention_svg.h"
#include "explain/explanation.h"

namespace nmt {

/// The CSS class of a matrix with this role, in SVG and HTML.
const char* role_class(Role role);

/// The data flow of an attention: an <svg> element styled by flow.css.
SvgPicture flow_picture(const Explanation& explanation, Language language);

/// An SVG file of the data flow, or of a trained model's attention. `style` is flow.css.
std::string picture_file(const Explanation& explanation, Language language,
                         const std::string& style);

}  // namespace nmt
