#pragma once

#include <string>
#include <string_view>

#include "markup/segment.h"

namespace nmt {

/// Reads a message catalog of gettext in UTF-8 (.po), with a segment for each message that has no
/// translation or a fuzzy one, whose fuzzy mark is removed. The header gets the target language (a
/// code, "" if unknown) and its plural forms; the form of the number 1 is translated from the
/// singular, others from the plural. Placeholders that a program replaces stay unchanged. Throws
/// MarkupError with the line of what is not valid in a .po file.
ParsedDocument parse_gettext(std::string_view po, const std::string& language);

}  // namespace nmt
