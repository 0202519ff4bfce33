#pragma once

#include <cstddef>
#include <string>

namespace nmt {

/// Throws Error unless two texts that pair line by line have equally many lines. `hint` follows the
/// message, in brackets.
void require_paired_lines(const std::string& first, size_t first_lines, const std::string& second,
                          size_t second_lines, const std::string& hint = "");

}  // namespace nmt
