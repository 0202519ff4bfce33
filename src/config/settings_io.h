#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/settings.h"

namespace nmt {

/// Defaults, overlaid by the YAML file. Throws Error "FILE: line N: SECTION.KEY: …" on unknown or
/// repeated names and on values of the wrong kind; '-' and '_' in names are the same. Relative
/// paths in it count from the current folder, as on the command line.
Settings load_settings(const std::filesystem::path& path);

/// The same over `settings`, of which what the file does not name stays.
void overlay_settings(Settings& settings, const std::filesystem::path& path);

/// Overlays YAML text; `name` is what messages call it.
void apply_yaml(Settings& settings, const std::string& yaml, const std::string& name);

/// All settings as YAML that apply_yaml reads back to the same values.
std::string to_yaml(const Settings& settings, bool with_comments);

/// One setting as the command line gives it: "section.key" and a value. Throws UsageError.
void set_setting(Settings& settings, const std::string& name, const std::string& value);

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
  std::string default_value;
};
std::vector<SettingDescription> describe_settings();

}  // namespace nmt
