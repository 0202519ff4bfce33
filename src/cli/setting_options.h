#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "checkpoint/model_directory.h"
#include "config/settings.h"

namespace nmt {

/// Settings as a command line gives them.
struct SettingArguments {
  std::vector<std::string> configs;
  std::vector<std::string> train_sets;
  std::vector<std::string> valid_sets;
  std::map<std::string, std::string> settings;  // SECTION.KEY as given
  std::map<std::string, std::string> flags;     // of those given by another name: "--minutes"
};

/// Adds --config, --train-sets, --valid-sets and --SECTION.KEY for every setting; --help shows the
/// defaults. `arguments` must outlive the parsing.
void add_setting_options(CLI::App& command, SettingArguments& arguments,
                         const Settings& defaults = {});

/// Adds only --config and --SECTION.KEY.
void add_config_options(CLI::App& command, SettingArguments& arguments,
                        const Settings& defaults = {});

/// Adds short names for settings that are often given: --save-every, --keep-best, --keep-last,
/// --objective, --minutes, with its meaning, and --ema. Throws UsageError where the long name is
/// given too.
void add_short_options(CLI::App& command, SettingArguments& arguments, const char* minutes);

/// Default, then each YAML file in turn, then the command line, wherever --config stands on it.
/// None is automatic.
Settings settings_of(const SettingArguments& arguments);

/// As above; without --config, the settings of the run in the directory where it `resumes` or no
/// text is given.
Settings settings_of(const SettingArguments& arguments, const ModelDirectory& directory,
                     bool resumes);

/// The same where settings may be chosen: without --config all that the command line does not give,
/// with it those that it says are `auto`.
Settings settings_to_choose(const SettingArguments& arguments, const ModelDirectory& directory,
                            bool resumes);

/// Throws UsageError for a setting of the command line, and Error for one of its files, that cannot
/// work (validate_given).
void refuse_invalid_settings(const Settings& settings, const SettingArguments& arguments);

/// For a new run: throws UsageError for a setting of the command line, not of its files, that would
/// be ignored.
void refuse_ignored_settings(const Settings& settings, const SettingArguments& arguments);

}  // namespace nmt
