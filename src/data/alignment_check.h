#pragma once

#include <filesystem>

namespace nmt {

/// Throws the Error that says of two texts with different numbers of lines how many they have, and
/// near which line one seems to be missing or added. Reads them from the beginning.
[[noreturn]] void report_unequal(const std::filesystem::path& source,
                                 const std::filesystem::path& target);

}  // namespace nmt
