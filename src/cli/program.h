#pragma once

#include <functional>

#include "cli/commands.h"

namespace nmt {

/// Ends the program with this code when thrown; what there is to say has been said.
struct ProgramEnd {
  int exit_code;
};

/// What may hand a call over to another program.
using CallCheck = std::function<void(const CommandCall& call)>;

/// Names and describes the program, and adds the options that it has without a command.
void describe_program(CLI::App& app);

/// The program with the subcommands that `add_commands` adds: parses the command line, runs what it
/// asks for and says on standard error what went wrong, in one line. Returns the exit code: 0, 1
/// when it failed, 2 for wrong usage, 128 and the signal's number when one ended it.
///
/// `check` is called before anything is read or written: with the command's name, which need not be
/// a known one, and again with all of the call.
int run_program(
    int argc, char** argv, void (*add_commands)(CLI::App&, CommandCall&),
    const CallCheck& check = [](const CommandCall&) {});

}  // namespace nmt
