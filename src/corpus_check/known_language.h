#pragma once

#include <string>

namespace nmt {

/// The code of the language that CLD2 reliably finds most of a long text to be in; empty if none,
/// as for languages that it does not know.
std::string known_language(const std::string& text);

}  // namespace nmt
