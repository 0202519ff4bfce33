#pragma once

#include <string>

namespace nmt {

/// The ISO 639-1 code of the language that CLD2 reliably finds most of a long text to be in; empty
/// if none, as for many languages that it does not know.
std::string detected_language(const std::string& text);

}  // namespace nmt
