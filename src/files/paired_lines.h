#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace nmt {

/// Throws Error unless the two texts have equally many lines. `hint` is appended to the message in
/// brackets.
void require_paired_lines(const std::string& first, size_t first_lines, const std::string& second,
                          size_t second_lines, const std::string& hint = "");

struct PairedLines {
  std::vector<std::string> sources;
  std::vector<std::string> targets;
};

/// The lines of two files. Throws Error as read_lines and require_paired_lines do.
PairedLines read_paired_lines(const std::filesystem::path& source,
                              const std::filesystem::path& target);

}  // namespace nmt
