#pragma once

#include <cstdint>
#include <filesystem>

namespace nmt {

/// Reads two text files side by side and throws Error when they cannot be a parallel corpus: bad
/// UTF-8 (file, line, byte), unequal line counts (with the line near which a line seems to be
/// missing or added), no lines at all. Returns the number of lines.
int64_t check_alignment(const std::filesystem::path& source, const std::filesystem::path& target);

/// Throws the same Error for unequal line counts, and none for what the lines hold.
void require_equal_lines(const std::filesystem::path& source, const std::filesystem::path& target);

}  // namespace nmt
