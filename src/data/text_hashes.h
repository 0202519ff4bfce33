#pragma once

#include <filesystem>
#include <string>

namespace nmt {

/// SHA-256 of a text file. Reads the file only once while its inode, size and ctime stay the same.
/// Throws Error when it cannot be read.
std::string text_hash(const std::filesystem::path& text);

}  // namespace nmt
