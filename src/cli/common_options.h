#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "cli/option_checks.h"
#include "config/choice.h"

namespace nmt {

/// Adds an option whose help shows the current content of `value` as the default.
template <typename Value>
CLI::Option* add_with_default(CLI::App& command, const std::string& names, Value& value,
                              const std::string& meaning) {
  return command.add_option(names, value, meaning)->capture_default_str();
}

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

/// Command lines for the help of a command.
inline void set_examples(CLI::App& command, std::initializer_list<const char*> lines) {
  std::string text;
  for (const char* line : lines) text += std::string("  ") + line + "\n";
  command.footer(text);
}

/// While it lives, options that are added to the command get this heading in its help.
class HelpGroup {
 public:
  HelpGroup(CLI::App& command, const char* name)
      : defaults_(*command.option_defaults()), before_(defaults_.get_group()) {
    defaults_.group(name);
  }
  ~HelpGroup() { defaults_.group(before_); }
  HelpGroup(const HelpGroup&) = delete;
  HelpGroup& operator=(const HelpGroup&) = delete;

 private:
  CLI::OptionDefaults& defaults_;
  const std::string before_;
};

// Options that are identical in several commands.

/// --model-dir of one model or, where `Path` is a list, of several.
template <typename Path>
CLI::Option* add_model(CLI::App& command, Path& model,
                       const char* meaning = "Model directory or packed model") {
  return command.add_option("-m,--model-dir", model, meaning)->type_name("MODEL");
}

/// --output of a model directory, and --overwrite.
inline void add_output_model(CLI::App& command, std::filesystem::path& output, bool& overwrite,
                             const char* meaning = "Model directory to write") {
  command.add_option("-o,--output", output, meaning)->type_name("DIR")->required();
  command.add_flag("--overwrite", overwrite, "Replace the model in that directory");
}

inline CLI::Option* add_device(CLI::App& command, std::string& device) {
  return add_with_default(command, "--device", device, "Device: cpu, cuda or cuda:N")
      ->type_name("DEVICE")
      ->check(check_device);
}

inline CLI::Option* add_threads(CLI::App& command, int& threads) {
  return add_with_default(command, "--threads", threads, "CPU threads; 0 uses one per core")
      ->check(CLI::Range(0, 1024));
}

inline void add_batch_size(CLI::App& command, int64_t& batch_size, const char* meaning) {
  add_with_default(command, "--batch-size", batch_size, meaning)->check(CLI::Range(1, 100000));
}

}  // namespace nmt
