#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>

namespace nmt {

/// Formats `--help` for the width of the terminal, 80 columns where there is none. `--help` shows
/// an option if it is in no group or used often; `--help-all` shows all.
class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

/// Command lines for the help of a command.
void set_examples(CLI::App& command, std::initializer_list<const char*> lines);

}  // namespace nmt
