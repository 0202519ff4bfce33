#pragma once

#include <filesystem>
#include <string>

namespace nmt {

/// SHA-256 of a text file. It is read once only, by this process and by those that find in the
/// folder what keep_text_hashes wrote, for as long as its path, size, inode and time of change stay
/// the same. Throws Error when it can't be read.
std::string text_hash(const std::filesystem::path& text, const std::filesystem::path& folder = {});

/// Writes the hashes that this process knows into the folder. Throws Error.
void keep_text_hashes(const std::filesystem::path& folder);

}  // namespace nmt
