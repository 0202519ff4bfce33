#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace nmt {

// Completion scripts: commands, their options, and the values of those: names, files, directories.

std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);
std::string fish_completion(const CLI::App& program);

}  // namespace nmt
