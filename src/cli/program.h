#pragma once

#include <functional>

#include "cli/commands.h"

namespace nmt {

/// Ends the program with this exit code when thrown. Any message has been printed already.
struct ProgramEnd {
  int exit_code;
};

/// May hand a call over to another program, and then does not return.
using CallCheck = std::function<void(const CommandCall& call)>;

/// Sets the program's name and description, and adds its global options such as --version.
void describe_program(CLI::App& app);

/// Parses the command line with the subcommands that `add_commands` adds and runs the one given. An
/// error becomes one line on standard error. Returns the exit code: 0, 1 after a failure, 2 for
/// wrong usage, 128 + the signal's number when a signal ended it.
///
/// `check` is called first with the command's name alone, which may be unknown, and again with the
/// complete call, if the command describes one, before any file is read or written.
int run_program(
    int argc, char** argv, void (*add_commands)(CLI::App&, CommandCall&),
    const CallCheck& check = [](const CommandCall&) {});

}  // namespace nmt
