#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// SHA-256 as 64 hexadecimal digits, as sha256sum prints it.
std::string sha256(std::string_view bytes);

/// The same of several pieces, as if they stood one after the other.
std::string sha256(const std::vector<std::string_view>& pieces);

/// The same of a file's content. Throws Error when it can't be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace nmt
