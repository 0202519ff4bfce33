#pragma once

#include <filesystem>

namespace nmt {

/// The file of the running program. Throws Error when /proc does not name it.
std::filesystem::path program_file();

/// Runs another program with these arguments in place of this one: returns only by throwing Error.
[[noreturn]] void replace_process(const std::filesystem::path& program, char* const* argv);

}  // namespace nmt
