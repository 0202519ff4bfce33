#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace nmt {

/// What is wrong with a command line, in one line: an unknown option or subcommand with the nearest
/// known name, or what CLI11 says. `arguments` are those after the program's name.
std::string usage_problem(const CLI::App& app, const std::vector<std::string>& arguments,
                          const CLI::ParseError& error);

}  // namespace nmt
