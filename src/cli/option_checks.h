#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "config/range.h"
#include "errors/error.h"

namespace nmt {

// Checks for options that would otherwise be ignored silently.

/// Makes each option of the group require another one.
void need_in_group(CLI::App& command, const char* group, CLI::Option* needed);

/// Makes two options be given together or not at all.
void need_each_other(CLI::Option* a, CLI::Option* b);

/// Throws UsageError when the option was given: "COMMAND: --threads: REASON".
void refuse_option(const CLI::App& command, const std::string& option, const std::string& reason);

/// A setting's name as the command line has it: "train.max-epochs" of "train.max_epochs".
std::string with_hyphens(std::string name);

/// The message of an error with the command's flags in place of the options that they set:
/// "--beam-size: 0 is out of range", not "beam_size: …".
std::string with_flags(const CLI::App& command, const OptionError& error);

/// Throws UsageError when two inputs, given by option and path, are standard input ("-"), which can
/// be read only once.
void require_one_standard_input(
    const std::vector<std::pair<std::string, std::filesystem::path>>& inputs);

/// A CLI11 check that a number is within the range; returns the problem or "". Unlike CLI::Range it
/// rejects NaN.
std::function<std::string(const std::string&)> check_in(const Range& range);

/// A CLI11 check of a device name; returns the problem or "".
std::string check_device(const std::string& text);

/// A CLI11 check of a seed; returns the problem or "". CLI11 itself would read -1 as the largest
/// number and clamp larger ones.
std::string check_seed(const std::string& text);

}  // namespace nmt
