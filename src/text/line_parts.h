#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace nmt {

/// The line as it is, or, when it has more than `longest_bytes`, its parts: cut at the last space
/// in reach, else between two characters. Views of the line; the spaces cut at are left out.
std::vector<std::string_view> split_line(std::string_view line, size_t longest_bytes);

}  // namespace nmt
