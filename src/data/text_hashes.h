#pragma once

#include <filesystem>
#include <string>

namespace nmt {

/// SHA-256 of a text file, read only once while its size, inode and time of change stay the same.
/// Throws Error when it cannot be read.
std::string text_hash(const std::filesystem::path& text);

}  // namespace nmt
