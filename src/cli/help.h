#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace nmt {

/// Formats `--help` for the width of the terminal, 80 columns where there is none. `--help` shows
/// an option if it is in no group or used often; `--help-all` shows all.
class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

/// The subcommands of `app` in the order in which the help lists them.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

/// "nmt data check"
std::string full_name(const CLI::App& command);

/// "data check"; "" for the program itself.
std::string command_path(const CLI::App& command);

/// "nmt explain attention [sentence] [OPTIONS]"
std::string usage_line(const CLI::App& command);

/// "-m, --model-dir MODEL …"
std::string option_heading(const CLI::Option& option);

/// What an option does, with its default; with `all`, also the options that it needs or excludes.
std::string option_meaning(const CLI::Option& option, bool all);

}  // namespace nmt
