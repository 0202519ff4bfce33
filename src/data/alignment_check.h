#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace nmt {

/// Reads two text files side by side and throws Error when they cannot be a parallel corpus: bad
/// UTF-8 (file, line, byte), unequal line counts (with the line near which a line seems to be
/// missing or added), no lines at all. Returns the number of lines.
int64_t check_alignment(const std::filesystem::path& source, const std::filesystem::path& target);

/// A pair of lines, the number from 1.
using PairLines =
    std::function<void(int64_t number, const std::string& source, const std::string& target)>;

/// Calls visit for every pair of lines, whatever they hold. Throws the same Error for unequal line
/// counts, at the end of the shorter file.
void for_each_pair(const std::filesystem::path& source, const std::filesystem::path& target,
                   const PairLines& visit);

}  // namespace nmt
