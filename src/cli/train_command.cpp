#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/model_directory.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/existing_run_flags.h"
#include "cli/setting_options.h"
#include "config/settings_io.h"
#include "distributed/rank_info.h"
#include "errors/error.h"
#include "errors/log.h"
#include "evaluation/test_score.h"
#include "files/side_names.h"
#include "processes/interrupt.h"
#include "reports/live_page.h"
#include "train/train.h"
#include "train/verify_resume.h"

namespace nmt {
namespace {

struct TrainArguments {
  SettingArguments settings;
  std::string model_dir;
  ExistingRunFlags existing_run;
  bool verify_resume = false;
  bool dump_config = false;
  std::optional<int> live_port;
};

std::filesystem::path model_dir_of(const TrainArguments& arguments) {
  if (!arguments.model_dir.empty()) return arguments.model_dir;
  const auto& configs = arguments.settings.configs;
  const auto& train_sets = arguments.settings.train_sets;
  const std::filesystem::path models = "models";
  if (!configs.empty()) return models / std::filesystem::path(configs.back()).stem();
  const auto names =
      train_sets.size() < 2 ? std::nullopt : side_names(train_sets[0], train_sets[1]);
  if (!names) {
    throw UsageError(
        "train: no --model-dir, and no --config or languages of --train-sets (text.de text.en) to "
        "name it after; use one of them");
  }
  return models / (names->first + "-" + names->second);
}

void run(const TrainArguments& arguments) {
  const ModelDirectory directory{arguments.dump_config && arguments.model_dir.empty()
                                     ? std::filesystem::path()
                                     : model_dir_of(arguments)};
  const auto settings =
      settings_to_choose(arguments.settings, directory, arguments.existing_run.resume);
  if (arguments.dump_config) {
    std::cout << to_yaml(settings, /*with_comments=*/true);
    return;
  }
  refuse_invalid_settings(settings, arguments.settings);
  if (arguments.existing_run.starts_new(directory)) {
    refuse_ignored_settings(settings, arguments.settings);
  }
  const bool gives_updates = arguments.settings.settings.count("train.max-updates") > 0 &&
                             settings.automatic.count("train.max_updates") == 0;
  const TrainRequest request{settings, directory.root, arguments.existing_run.policy(),
                             arguments.existing_run.accept_changes, gives_updates};
  if (arguments.verify_resume) {
    std::cout << verify_resume(request) << '\n';
    return;
  }
  catch_interrupts_and_hangups();  // before any thread starts
  const bool is_first = read_rank_info().rank == 0;
  std::optional<LivePage> live;
  if (arguments.live_port && is_first) {
    live.emplace(directory.root, *arguments.live_port);
    log_info("live  http://127.0.0.1:{}/", live->port());
  }
  train(request);
  if (is_first) score_test_set(directory);
}

}  // namespace

void define_train_command(CLI::App& command, CommandCall& /*call*/) {
  auto arguments = std::make_shared<TrainArguments>();
  add_setting_options(command, arguments->settings, automatic_settings());
  command
      .add_option_function<std::vector<std::string>>(
          "--test-sets",
          [arguments](const std::vector<std::string>& files) {
            arguments->settings.settings["data.test-source"] = files[0];
            arguments->settings.settings["data.test-target"] = files[1];
          },
          "Test text to score the trained model on [held out from the training text]")
      ->expected(2)
      ->type_name("SOURCE TARGET")
      ->excludes("--data.test-source", "--data.test-target");
  command
      .add_option("-m,--model-dir", arguments->model_dir,
                  "Model directory [models/NAME for NAME.yaml, models/de-en for text.de text.en]")
      ->type_name("DIR");
  arguments->existing_run.add_to(command);
  auto* verify =
      command.add_flag("--verify-resume", arguments->verify_resume,
                       "Check that resuming is exact with these settings, in a temporary folder");
  for (const char* flag : {"--resume", "--restart", "--overwrite", "--accept-changes"}) {
    verify->excludes(command.get_option(flag));
  }
  command
      .add_option("--live", arguments->live_port,
                  "Serve a live training page on 127.0.0.1:PORT; 0 picks a free port")
      ->type_name("PORT")
      ->excludes(verify)
      ->check(CLI::Range(0, 65535));
  add_short_options(command, arguments->settings,
                    "Time limit for the whole run; settings are chosen to fit it [no limit]");
  command.add_flag("--dump-config", arguments->dump_config, "Print the settings as YAML and exit")
      ->excludes(verify, command.get_option("--live"));
  set_examples(command, {"nmt train --train-sets train.ko train.en",
                         "nmt train -c configs/sample.yaml -m models/mine --train.max-epochs 5"});
  command.callback([arguments] { run(*arguments); });
}

}  // namespace nmt
