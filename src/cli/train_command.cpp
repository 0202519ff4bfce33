#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/setting_options.h"
#include "config/settings_io.h"
#include "support/error.h"
#include "train/train.h"

namespace nmt {
namespace {

struct TrainArguments {
  SettingArguments settings;
  std::string model_dir;
  bool overwrite = false;
  bool dump_config = false;
};

std::filesystem::path model_dir_of(const TrainArguments& arguments) {
  if (!arguments.model_dir.empty()) return arguments.model_dir;
  if (arguments.settings.config.empty())
    throw UsageError("train needs --model-dir, or a --config to name it by");
  return std::filesystem::path("models") / std::filesystem::path(arguments.settings.config).stem();
}

void run(const TrainArguments& arguments) {
  const auto settings = settings_of(arguments.settings);
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
  add_setting_options(*command, arguments->settings);
  command->add_option("-m,--model-dir", arguments->model_dir,
                      "Folder for the model [models/ and the name of the configuration]");
  command->add_flag("--overwrite", arguments->overwrite,
                    "Replace the model that the folder already holds");
  command->add_flag("--dump-config", arguments->dump_config,
                    "Print the settings this command would use, and stop");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace nmt
