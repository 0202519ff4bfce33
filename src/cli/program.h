#pragma once

#include <CLI/CLI.hpp>

namespace nmt {

/// Ends the program with this code when thrown; what there is to say has been said.
struct ProgramEnd {
  int exit_code;
};

/// The program with the subcommands that `add_commands` adds: parses the command line, runs what it
/// asks for and says on standard error what went wrong, in one line. Returns the exit code: 0, 1
/// when it failed, 2 for wrong usage, 128 and the signal's number when one ended it.
int run_program(int argc, char** argv, void (*add_commands)(CLI::App&));

}  // namespace nmt
