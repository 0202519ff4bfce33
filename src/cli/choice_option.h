#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "config/choice.h"

namespace nmt {

/// The type of an option with these values, for its help (`name`) and for completion: "NAME:{a,b}".
inline std::string choice_type(const std::string& name, const std::vector<std::string>& values) {
  return name + ":{" + list_of(values, ",") + "}";
}

/// Adds an option whose values are the names of an enum. The help text ends with these names; any
/// other value is a usage error.
template <typename Enum>
CLI::Option* add_choice(CLI::App& command, const std::string& flags, Enum& value,
                        const std::string& meaning) {
  const auto check = [](const std::string& name) {
    return parse_choice<Enum>(name) ? "" : unknown_choice(name, choice_names<Enum>());
  };
  return command
      .add_option_function<std::string>(
          flags, [&value](const std::string& name) { value = *parse_choice<Enum>(name); },
          meaning + ": " + list_of(choice_names<Enum>()))
      ->check(check)
      ->type_name(choice_type("NAME", choice_names<Enum>()))
      ->default_str(choice_name(value));
}

}  // namespace nmt
