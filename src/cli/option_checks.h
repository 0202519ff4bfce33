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

// Options that would otherwise be ignored without a word.

/// Makes each option of the group require another one.
void need_in_group(CLI::App& command, const char* group, CLI::Option* needed);

/// Throws UsageError when the option was given: "COMMAND: --threads: REASON".
void refuse_option(const CLI::App& command, const std::string& option, const std::string& reason);

/// The message of an error with the command's flags in place of the options that they set:
/// "--beam-size: 0 is out of range", not "beam_size: …".
std::string with_flags(const CLI::App& command, const OptionError& error);

/// Throws UsageError when two inputs, given by option and path, are standard input ("-"), which can
/// be read only once.
void require_one_standard_input(
    const std::vector<std::pair<std::string, std::filesystem::path>>& inputs);

/// A check of a number with a fraction, which says what is wrong or nothing: CLI::Range takes nan
/// for a number of any range.
std::function<std::string(const std::string&)> check_in(const Range& range);

/// What is wrong with the name of a device, or nothing.
std::string check_device(const std::string& text);

/// What is wrong with a seed, or nothing: CLI11 reads -1 as the largest number, and clamps larger
/// ones.
std::string check_seed(const std::string& text);

}  // namespace nmt
