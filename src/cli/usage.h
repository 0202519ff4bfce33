#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace nmt {

/// The arguments after the program's name, with '-' for each '_' in the name of a long option, so
/// that both spellings are understood.
std::vector<std::string> command_line(int argc, const char* const* argv);

/// Makes every option that takes a whole number refuse one beyond 64 bits: CLI11 2.4 does, 2.3 cuts
/// it off.
void reject_huge_numbers(CLI::App& app);

/// What is wrong with a command line, in one line: an unknown option or subcommand with the nearest
/// known name, or what CLI11 says. `arguments` are those of command_line.
std::string usage_problem(const CLI::App& app, const std::vector<std::string>& arguments,
                          const CLI::ParseError& error);

}  // namespace nmt
