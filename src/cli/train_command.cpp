#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "config/settings_io.h"
#include "support/error.h"
#include "train/train.h"

namespace nmt {
namespace {

struct TrainArguments {
  std::string config;
  std::string model_dir;
  std::vector<std::string> train_sets;
  std::vector<std::string> valid_sets;
  bool overwrite = false;
  bool dump_config = false;
  std::map<std::string, std::string> settings;  // section.key as given
};

std::string with_hyphens(std::string name) {
  for (char& letter : name) letter = letter == '_' ? '-' : letter;
  return name;
}

// Every setting is an option, --SECTION.KEY.
void add_setting_options(CLI::App& command, TrainArguments& arguments) {
  for (const auto& setting : describe_settings()) {
    const auto name = setting.section + "." + with_hyphens(setting.key);
    auto* option = command.add_option_function<std::string>(
        "--" + name,
        [&arguments, name](const std::string& value) { arguments.settings[name] = value; },
        setting.meaning + " [" + setting.default_value + "]");
    option->group(setting.section_title)->type_name("")->take_last();
  }
}

std::filesystem::path model_dir_of(const TrainArguments& arguments) {
  if (!arguments.model_dir.empty()) return arguments.model_dir;
  if (arguments.config.empty())
    throw UsageError("train needs --model-dir, or a --config to name it by");
  return std::filesystem::path("models") / std::filesystem::path(arguments.config).stem();
}

/// Default, then YAML, then the command line, wherever --config stands on it.
Settings settings_of(const TrainArguments& arguments) {
  Settings settings;
  if (!arguments.config.empty()) settings = load_settings(arguments.config);
  if (!arguments.train_sets.empty()) {
    settings.data.train_source = arguments.train_sets[0];
    settings.data.train_target = arguments.train_sets[1];
  }
  if (!arguments.valid_sets.empty()) {
    settings.data.valid_source = arguments.valid_sets[0];
    settings.data.valid_target = arguments.valid_sets[1];
  }
  for (const auto& [name, value] : arguments.settings) set_setting(settings, name, value);
  return settings;
}

void run(const TrainArguments& arguments) {
  const auto settings = settings_of(arguments);
  if (arguments.dump_config) {
    std::cout << to_yaml(settings, /*with_comments=*/true);
    return;
  }
  train({settings, model_dir_of(arguments), arguments.overwrite});
}

}  // namespace

void add_train_command(CLI::App& app) {
  auto arguments = std::make_shared<TrainArguments>();
  auto* command = app.add_subcommand("train", "Train a translator from two text files");
  command->add_option(
      "-c,--config", arguments->config,
      "YAML file of settings; configs/all-settings.yaml has every one. Its paths count "
      "from the current folder");
  command->add_option("-m,--model-dir", arguments->model_dir,
                      "Folder for the model [models/ and the name of the configuration]");
  command
      ->add_option("-t,--train-sets", arguments->train_sets,
                   "Training text: source file and target file, one sentence a line")
      ->expected(2)
      ->type_name("SOURCE TARGET");
  command->add_option("--valid-sets", arguments->valid_sets, "Validation text, the same way")
      ->expected(2)
      ->type_name("SOURCE TARGET");
  command->add_flag("--overwrite", arguments->overwrite,
                    "Replace the model that the folder already holds");
  command->add_flag("--dump-config", arguments->dump_config,
                    "Print the settings this command would use, and stop");
  add_setting_options(*command, *arguments);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace nmt
