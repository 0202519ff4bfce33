#include "cli/usage.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#include "config/settings_io.h"
#include "config/suggest.h"

namespace nmt {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// What the words before the first option name: "data check".
struct ChosenCommand {
  const CLI::App* app;
  std::string name;
  size_t num_words = 0;
};

ChosenCommand chosen_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  ChosenCommand chosen{&app, ""};
  for (const auto& argument : arguments) {
    const auto commands = commands_of(*chosen.app);
    const auto next = std::find_if(commands.begin(), commands.end(), [&](const CLI::App* command) {
      return command->get_name() == argument;
    });
    if (next == commands.end()) break;
    chosen.app = *next;
    chosen.name += (chosen.name.empty() ? "" : " ") + argument;
    ++chosen.num_words;
  }
  return chosen;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

std::string unknown_command(const ChosenCommand& within, const std::string& name) {
  std::vector<std::string> names;
  for (const auto* command : commands_of(*within.app)) {
    names.push_back(command->get_name());
  }
  return "unknown command '" + name + "'" + suggestion(name, names) + "; run `nmt " +
         (within.name.empty() ? "" : within.name + " ") + "--help` for the list";
}

/// Settings that were renamed are found by their old names.
std::string nearest_option(const std::string& name, const std::vector<std::string>& known) {
  if (name.find('.') != std::string::npos) {
    auto setting = nearest_setting(name);
    std::replace(setting.begin(), setting.end(), '_', '-');
    if (std::find(known.begin(), known.end(), setting) != known.end()) return setting;
  }
  return nearest_name(name, known);
}

/// The first option on the line that the command has not; empty when there is none.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& arguments) {
  const auto known = option_names(command);
  for (const auto& argument : arguments) {
    if (argument == "--") break;
    if (argument.rfind("--", 0) != 0) continue;
    const auto name = argument.substr(2, argument.find('=') - 2);
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto nearest = nearest_option(name, known);
    return "unknown option --" + name +
           (nearest.empty() ? "" : " (did you mean --" + nearest + "?)");
  }
  return "";
}

}  // namespace

void reject_huge_numbers(CLI::App& app) {
  const auto checked_by = [](auto convert) {
    return [convert](const std::string& text) {
      errno = 0;
      static_cast<void>(convert(text.c_str(), nullptr, 10));
      return errno == ERANGE ? "'" + text + "' is not a number of 64 bits" : "";
    };
  };
  for (auto* option : app.get_options({})) {
    if (option->get_type_name().rfind("INT", 0) == 0) option->check(checked_by(std::strtoll));
    if (option->get_type_name().rfind("UINT", 0) == 0) option->check(checked_by(std::strtoull));
  }
  for (auto* command : app.get_subcommands([](CLI::App*) { return true; })) {
    reject_huge_numbers(*command);
  }
}

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
  const auto command = chosen_command(app, arguments);
  const bool ends = command.num_words == arguments.size();
  if (command.name.empty() && ends) return "no command given; run `nmt --help` for the list";
  if (!commands_of(*command.app).empty() && !ends &&
      arguments[command.num_words].rfind('-', 0) != 0) {
    return unknown_command(command, arguments[command.num_words]);
  }
  if (command.name.empty()) {
    const auto unknown = unknown_option(app, {arguments.front()});
    return (unknown.empty() ? error.what() : unknown) + "; run `nmt --help` for the commands";
  }
  const auto unknown = unknown_option(*command.app, arguments);
  if (!unknown.empty()) return command.name + ": " + unknown;
  return command.name + ": " + error.what() + "; run `nmt " + command.name + " --help`";
}

}  // namespace nmt
