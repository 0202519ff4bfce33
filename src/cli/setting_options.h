#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "checkpoint/model_directory.h"
#include "config/settings.h"
#include "config/settings_io.h"

namespace nmt {

/// Settings as a command line gives them.
struct SettingArguments {
  std::vector<std::string> configs;
  SettingsFrom configs_from = SettingsFrom::kPerson;
  std::vector<std::string> train_sets;
  std::vector<std::string> valid_sets;
  std::map<std::string, std::string> settings;  // SECTION.KEY as given
  std::map<std::string, std::string> flags;     // short flag by SECTION.KEY, "--minutes"
};

/// Adds --config, --train-sets, --valid-sets and --SECTION.KEY for every setting; --help shows the
/// defaults. `arguments` must outlive the parsing.
void add_setting_options(CLI::App& command, SettingArguments& arguments,
                         const Settings& defaults = {});

/// Adds only --config and --SECTION.KEY.
void add_config_options(CLI::App& command, SettingArguments& arguments,
                        const Settings& defaults = {});

/// Adds short flags for common settings: --save-every, --keep-best, --keep-last, --objective,
/// --minutes (`minutes` is its help text), --threads, --device and --ema. Parsing throws UsageError
/// if the long name is given as well.
void add_short_options(CLI::App& command, SettingArguments& arguments, const char* minutes);

/// The defaults, overridden by each YAML file in turn, then by the command line, wherever --config
/// stands on it. No setting is left automatic.
Settings settings_of(const SettingArguments& arguments);

/// As above. Without --config, and if the command `resumes` or names no training text, starts from
/// the settings of the run in the directory, if there is one.
Settings settings_of(const SettingArguments& arguments, const ModelDirectory& directory,
                     bool resumes);

/// The same, but leaves settings automatic: without --config all choosable ones that the command
/// line does not give, with it those that are set to `auto`.
Settings settings_to_choose(const SettingArguments& arguments, const ModelDirectory& directory,
                            bool resumes);

/// Throws for a setting that validate_given() rejects: UsageError if the command line gave it,
/// Error if a file did.
void refuse_invalid_settings(const Settings& settings, const SettingArguments& arguments);

/// For a new run: throws UsageError for a setting that the command line gave and that would be
/// ignored. Settings from files are not checked.
void refuse_ignored_settings(const Settings& settings, const SettingArguments& arguments);

}  // namespace nmt
