#pragma once

#include <string>
#include <string_view>

#include "markup/segment.h"

namespace nmt {

/// Reads XLIFF 1.2 and 2.x (OASIS): each unit without a translation gets one in its target, next to
/// the source; units with one, and those that are not to be translated, stay as they are. Inline
/// codes that stand for something (x, ph, bpt, …) are points, those around text (g, pc, mrk)
/// elements. `language`: code of the translation; "" if unknown. Throws Error with line and column
/// when the document is not well-formed, and for one with another target language or with units
/// within units.
ParsedDocument parse_xliff(std::string_view xml, const std::string& language);

}  // namespace nmt
