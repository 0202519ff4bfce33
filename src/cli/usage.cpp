#include "cli/usage.h"

#include <algorithm>

#include "config/suggest.h"

namespace nmt {
namespace {

const CLI::App* chosen_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  for (const auto* command : commands) {
    if (!arguments.empty() && command->get_name() == arguments.front()) return command;
  }
  return nullptr;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string unknown_command(const CLI::App& app, const std::string& name) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return "there is no command '" + name + "'" + suggestion(name, names) + "; nmt --help lists them";
}

/// The first option on the line that the command has not; empty when there is none.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& arguments) {
  const auto known = option_names(command);
  for (const auto& argument : arguments) {
    if (argument.rfind("--", 0) != 0 || argument.size() == 2) continue;
    const auto name = argument.substr(0, argument.find('='));
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    return command.get_name() + ": unknown option " + name + suggestion(name, known);
  }
  return "";
}

}  // namespace

std::string usage_problem(const CLI::App& app, const std::vector<std::string>& arguments,
                          const CLI::ParseError& error) {
  const auto* command = chosen_command(app, arguments);
  if (command == nullptr) {
    const bool named = !arguments.empty() && arguments.front().rfind('-', 0) != 0;
    return named ? unknown_command(app, arguments.front())
                 : std::string(error.what()) + "; nmt --help lists the commands";
  }
  const auto unknown = unknown_option(*command, arguments);
  if (!unknown.empty()) return unknown;
  return command->get_name() + ": " + error.what() + "; see nmt " + command->get_name() + " --help";
}

}  // namespace nmt
