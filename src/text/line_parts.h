#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace nmt {

/// Splits a line into parts of at most `longest_bytes`: at the last space that fits, else between
/// two characters. The parts are views of the line, without the spaces at the cuts.
std::vector<std::string_view> split_line(std::string_view line, size_t longest_bytes);

}  // namespace nmt
