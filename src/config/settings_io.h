#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/settings.h"

namespace nmt {

/// Defaults, with every choosable setting still to be chosen (choose_settings.h).
Settings automatic_settings();

/// Gives the automatic settings, of one section or of all, their values in `from`.
void adopt_automatic(Settings& settings, const Settings& from, const std::string& section = "");

/// Where a file of settings comes from, which decides what is said of unknown names.
enum class SettingsFrom {
  kPerson,  // mistyped: an error that suggests a name
  kRun,     // written by a newer nmt: an error that asks to update
  kModel,   // likewise, but keys of data, train and validation are ignored: they do not change what
            // the weights compute
};

/// Defaults, overlaid by the YAML file. Throws Error "FILE: line N: SECTION.KEY: …" for unknown or
/// repeated names and values of the wrong kind; '-' and '_' in names are the same. Relative paths
/// in it are relative to the current folder, as on the command line.
Settings load_settings(const std::filesystem::path& path,
                       SettingsFrom from = SettingsFrom::kPerson);

/// Overlays `settings` with the file; settings that it does not name keep their values.
void overlay_settings(Settings& settings, const std::filesystem::path& path,
                      SettingsFrom from = SettingsFrom::kPerson);

/// Overlays YAML text; `name` is what messages call it.
void apply_yaml(Settings& settings, const std::string& yaml, const std::string& name,
                SettingsFrom from = SettingsFrom::kPerson);

/// All settings as YAML that apply_yaml reads back to the same values; those still to be chosen are
/// `auto`.
std::string to_yaml(const Settings& settings, bool with_comments);

/// Sets one setting from the command line. `name`: "section.key"; `value` may be a YAML list "[a,
/// b]"; `flag`: for messages, if not --section.key. Throws UsageError.
void set_setting(Settings& settings, const std::string& name, const std::string& value,
                 const std::string& flag = "");

struct SettingChange {
  std::string name;  // section.key
  std::string before;
  std::string now;
};

/// The settings that differ.
std::vector<SettingChange> changed_settings(const Settings& before, const Settings& now);

/// For --help and completion.
struct SettingDescription {
  std::string section;
  std::string section_title;
  std::string key;  // with '_'
  std::string meaning;
  std::string value;                 // `auto`: still to be chosen
  std::vector<std::string> choices;  // empty: any value of its type
  bool is_text = false;              // so it may name a file
  bool is_list = false;              // of names or numbers
  bool choosable = false;            // from the corpus

  std::string name() const { return section + "." + key; }
};
std::vector<SettingDescription> describe_settings(const Settings& settings = {});

/// The setting "section.key" that an unknown name most likely means, or nothing.
std::string nearest_setting(const std::string& unknown);

}  // namespace nmt
