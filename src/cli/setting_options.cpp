#include "cli/setting_options.h"

#include <filesystem>
#include <functional>
#include <sstream>
#include <utility>

#include "cli/common_options.h"
#include "cli/option_checks.h"
#include "config/validate.h"
#include "errors/error.h"
#include "numbers/parse.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

void take_train_sets(const std::vector<std::string>& files, DataConfig& data) {
  if (files.size() % 2 != 0) {
    throw UsageError("--train-sets: " + std::to_string(files.size()) +
                     " files; each corpus has a source file and a target file");
  }
  data.train_source.clear();
  data.train_target.clear();
  for (size_t i = 0; i < files.size(); i += 2) {
    data.train_source.push_back(files[i]);
    data.train_target.push_back(files[i + 1]);
  }
}

/// The flag under which the command line gave the setting.
std::string flag_of(const std::string& name, const SettingArguments& arguments) {
  const auto found = arguments.flags.find(name);
  return found == arguments.flags.end() ? "--" + name : found->second;
}

/// Of an unset variable, for example.
std::string check_not_empty(const std::string& list) {
  return list.empty() ? "empty; use [] for none" : "";
}

/// " [VALUE]" for help; nothing for an empty text or list.
std::string bracketed(const std::string& value) {
  if (value.empty() || value == "\"\"" || value == "[]") return "";
  return value.front() == '[' ? " " + value : " [" + value + "]";
}

}  // namespace

void add_config_options(CLI::App& command, SettingArguments& arguments, const Settings& defaults) {
  command
      .add_option(
          "-c,--config", arguments.configs,
          "YAML file of settings, see configs/all-settings.yaml; later files take precedence")
      ->allow_extra_args(false);
  for (const auto& setting : describe_settings(defaults)) {
    const auto name = setting.section + "." + with_hyphens(setting.key);
    const bool chosen = defaults.automatic.count(setting.section + "." + setting.key) > 0;
    auto* option = command.add_option_function<std::string>(
        "--" + name,
        [&arguments, name](const std::string& value) { arguments.settings[name] = value; },
        setting.meaning + bracketed(chosen ? "chosen from the corpus" : setting.value));
    const auto type = !setting.choices.empty() ? choice_type("", setting.choices)
                      : setting.is_text        ? ":FILE"
                                               : "";
    option->group(setting.section_title)->type_name(type);
    if (!setting.is_list) option->take_last();  // a list must keep all its values
    if (setting.is_list && setting.is_text) option->check(check_not_empty);
    if (name == "train.device") option->check(check_device);
  }
}

void add_setting_options(CLI::App& command, SettingArguments& arguments, const Settings& defaults) {
  add_config_options(command, arguments, defaults);
  command
      .add_option("-t,--train-sets", arguments.train_sets,
                  "Training text: source and target file, line by line; further pairs may follow")
      ->expected(2, -1)
      ->type_name("SOURCE TARGET")
      ->excludes("--data.train-source", "--data.train-target");
  command
      .add_option("--valid-sets", arguments.valid_sets,
                  "Validation text, source and target file [held out from the training text]")
      ->expected(2)
      ->type_name("SOURCE TARGET")
      ->excludes("--data.valid-source", "--data.valid-target");
}

void add_short_options(CLI::App& command, SettingArguments& arguments, const char* minutes) {
  const auto add = [&](const char* flag, const std::string& type, const std::string& meaning,
                       const std::function<std::string(std::string&)>& setting_for) {
    return command
        .add_option_function<std::string>(
            flag,
            [&arguments, flag, setting_for](std::string value) {
              const auto name = setting_for(value);
              arguments.flags[name] = flag;
              if (arguments.settings.emplace(name, value).second) return;
              throw UsageError(std::string(flag) + ": also given as --" + name +
                               "; use one of them");
            },
            meaning)
        ->type_name(type)
        ->take_last();
  };
  const auto add_for = [&](const char* flag, const char* setting, const std::string& type,
                           const std::string& meaning) {
    return add(flag, type, meaning, [setting](std::string&) { return setting; });
  };
  add("--save-every", "N|Nmin",
      "Save the training state every N updates, or every N minutes [10min]",
      [](std::string& value) {
        const std::string unit = "min";
        const bool timed = value != unit && ends_with(value, unit);
        const auto given = value;
        if (timed) value.resize(value.size() - unit.size());
        if (timed ? !parse_number<double>(value) : !parse_number<int64_t>(value)) {
          throw UsageError(
              "--save-every: '" + given +
              "' is neither a number of updates nor of minutes; use e.g. 500 or 20min");
        }
        return timed ? "train.save-every-minutes" : "train.save-every";
      })
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);  // they may be two settings
  add_for("--keep-best", "validation.keep-best", "N", "Number of best checkpoints kept [3]");
  add_for("--keep-last", "train.keep-last", "N",
          "Number of latest saved states kept as checkpoints [0]");
  std::string objectives = "Training objective:";
  std::vector<std::string> names;
  for (const auto* kind : objective_kinds()) {
    names.push_back(kind->name);
    const auto alias = kind->alias.empty() ? "" : " (" + kind->alias + ")";
    objectives += "\n" + (kind->name + alias) + ": " + kind->summary;
  }
  add("--objective", choice_type("NAME", names), objectives, [](std::string& value) {
    for (const auto* kind : objective_kinds()) {
      if (value == kind->alias && !value.empty()) value = kind->name;
    }
    return "train.objective";
  });
  add_for("--minutes", "train.max-minutes", "M", minutes);
  add_for("--threads", "train.threads", "N", "CPU threads; 0 uses one per core [0]");
  add_for("--device", "train.device", "DEVICE", "Device: cpu, cuda or cuda:N [cpu]")
      ->check(check_device);
  add_for("--ema", "train.ema-decay", "DECAY",
          "Decay of the moving average of the weights that is validated and saved; 0: off");
}

namespace {

/// Splits "de,fr", the form that the command line uses.
void split_languages(std::vector<std::string>& languages) {
  if (languages.size() != 1) return;
  std::istringstream codes(std::exchange(languages, {}).front());
  for (std::string code; std::getline(codes, code, ',');) languages.push_back(code);
}

Settings overlaid(Settings settings, const SettingArguments& arguments) {
  for (const auto& config : arguments.configs) {
    overlay_settings(settings, config, arguments.configs_from);
    auto& data = settings.data;
    for (auto* text :
         {&data.valid_source, &data.valid_target, &data.test_source, &data.test_target})
      *text = ModelDirectory{std::filesystem::path(config).parent_path()}.text_at(*text);
  }
  if (!arguments.train_sets.empty()) take_train_sets(arguments.train_sets, settings.data);
  if (!arguments.valid_sets.empty()) {
    settings.data.valid_source = arguments.valid_sets[0];
    settings.data.valid_target = arguments.valid_sets[1];
  }
  for (const auto& [name, value] : arguments.settings) {
    set_setting(settings, name, value, flag_of(name, arguments));
  }
  split_languages(settings.data.train_languages);
  return settings;
}

/// Adds the run's config.yaml as --config, if none is given and the command resumes or names no
/// training text.
SettingArguments arguments_for(SettingArguments arguments, const ModelDirectory& directory,
                               bool resumes) {
  if (arguments.configs.empty() && (resumes || arguments.train_sets.empty()) &&
      std::filesystem::exists(directory.run_state())) {
    arguments.configs = {directory.settings().string()};
    arguments.configs_from = SettingsFrom::kRun;
    // The run's gradient_accumulation may come from splitting its batches (train.max_memory). It
    // does not apply to a batch size from the command line.
    if (arguments.settings.count("data.batch-size") > 0 &&
        !load_settings(directory.settings(), SettingsFrom::kRun).train.max_memory.empty()) {
      arguments.settings.emplace("train.gradient-accumulation", "1");
    }
  }
  return arguments;
}

}  // namespace

Settings settings_of(const SettingArguments& arguments) {
  auto settings = overlaid(Settings(), arguments);
  adopt_automatic(settings, Settings());
  return settings;
}

Settings settings_of(const SettingArguments& arguments, const ModelDirectory& directory,
                     bool resumes) {
  return settings_of(arguments_for(arguments, directory, resumes));
}

Settings settings_to_choose(const SettingArguments& arguments, const ModelDirectory& directory,
                            bool resumes) {
  const auto all = arguments_for(arguments, directory, resumes);
  return overlaid(all.configs.empty() ? automatic_settings() : Settings(), all);
}

void refuse_invalid_settings(const Settings& settings, const SettingArguments& arguments) try {
  validate_given(settings);
} catch (const SettingError& error) {
  const auto option = with_hyphens(error.name);
  if (arguments.settings.count(option) == 0) throw;
  throw UsageError(flag_of(option, arguments) + ": " + error.problem);
}

void refuse_ignored_settings(const Settings& settings, const SettingArguments& arguments) {
  const bool initial = !settings.train.initial_model.empty();
  const bool language_model = settings.model.architecture == Architecture::kLanguageModel;
  for (const auto& name : automatic_settings().automatic) {
    const auto given = arguments.settings.find(with_hyphens(name));
    if (given == arguments.settings.end() || given->second != "auto") continue;
    // An initial model brings its network and vocabularies.
    const bool brought = name.rfind("model.", 0) == 0 || name.rfind("vocab.", 0) == 0;
    if (language_model || (initial && !brought)) {
      throw UsageError(flag_of(given->first, arguments) + ": auto has no effect " +
                       (language_model ? "for a language model" : "with train.initial_model") +
                       "; give a value");
    }
  }
  for (const auto& change : changed_settings(Settings(), settings)) {
    const auto reason = reason_without_effect(settings, change.name);
    const auto option = with_hyphens(change.name);
    if (reason.empty() || arguments.settings.count(option) == 0) continue;
    throw UsageError(flag_of(option, arguments) + ": has no effect, because " + reason +
                     "; leave it out");
  }
}

}  // namespace nmt
