#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "support/temporary_folder.h"

namespace nmt {

/// One strange input to the program and what has to come of it.
///
/// `command` is a shell's, run from the project's folder, in which stand for
///   $nmt     the program                    $in   the strange files, see hostile_fixtures.h
///   $sample  the folder of a sound model    $out  an empty folder of this case
struct HostileCase {
  std::string what;
  std::string command;
  int exit_code;              // 0; 1 for a failing run; 2 for a wrong command line
  std::string says;           // a part of the error line, or with exit code 0 of standard output
  int64_t output_lines = -1;  // on standard output; -1: any number
};

/// Runs the cases, some at a time, and checks for each:
///   the exit code and what is said;
///   that a failing run says it in one line, "nmt: …", and nothing else but the log of training;
///   that it leaves nothing in $out, and a sound one no file that is not whole;
///   that it takes less than 2 GiB of memory.
void check_cases(const std::filesystem::path& in, const std::vector<HostileCase>& cases);

}  // namespace nmt
