#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace nmt {

/// The whole file. Throws Error that names the path and the reason.
std::string read_file(const std::filesystem::path& path);

/// Writes by way of a temporary file in the same folder, synced and renamed, so that a crash or a
/// full disk leaves the old file whole. Throws Error that names the path and the reason.
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(std::ostream&)>& write);
void write_file_atomically(const std::filesystem::path& path, const std::string& content);

}  // namespace nmt
