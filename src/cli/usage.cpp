#include "cli/usage.h"

#include <algorithm>
#include <cstddef>

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
    for (const auto& name : option->get_lnames()) names.push_back(name);
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
    const auto name = argument.substr(2, argument.find('=') - 2);
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto nearest = nearest_name(name, known);
    return "unknown option --" + name +
           (nearest.empty() ? "" : " (did you mean --" + nearest + "?)");
  }
  return "";
}

}  // namespace

std::vector<std::string> command_line(int argc, const char* const* argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  for (auto& argument : arguments) {
    if (argument == "--") break;
    if (argument.rfind("--", 0) != 0) continue;
    const auto name_end = argument.begin() + static_cast<std::ptrdiff_t>(
                                                 std::min(argument.find('='), argument.size()));
    std::replace(argument.begin(), name_end, '_', '-');
  }
  return arguments;
}

std::string usage_problem(const CLI::App& app, const std::vector<std::string>& arguments,
                          const CLI::ParseError& error) {
  const auto* command = chosen_command(app, arguments);
  if (command == nullptr) {
    if (arguments.empty()) return std::string("which command? nmt --help lists them");
    if (arguments.front().rfind('-', 0) != 0) return unknown_command(app, arguments.front());
    const auto unknown = unknown_option(app, {arguments.front()});
    return (unknown.empty() ? error.what() : unknown) + "; nmt --help lists the commands";
  }
  const auto unknown = unknown_option(*command, arguments);
  if (!unknown.empty()) return command->get_name() + ": " + unknown;
  return command->get_name() + ": " + error.what() + "; see nmt " + command->get_name() + " --help";
}

}  // namespace nmt
