#include "config/settings_io.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <sstream>
#include <type_traits>
#include <utility>

#include "config/suggest.h"
#include "errors/error.h"
#include "files/file.h"
#include "numbers/parse.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kMaxBytes = 1 << 20;
constexpr char kAutomatic[] = "auto";
constexpr char kNewer[] = "a setting of a newer nmt; update nmt to use this model";
constexpr char kPerhapsNewer[] = "; if a newer nmt wrote this, update nmt";

std::string with_underscores(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// ---- values from and to text; parse returns what is wrong, or nothing ----

std::string parse(const std::string& text, int64_t& value) {
  const auto parsed = parse_number<int64_t>(text);
  value = parsed.value_or(0);
  return parsed ? "" : "'" + text + "' is not a whole number";
}

std::string parse(const std::string& text, double& value) {
  const auto parsed = parse_number<double>(text);
  value = parsed.value_or(0.0);
  return parsed && std::isfinite(value) ? "" : "'" + text + "' is not a number";
}

std::string parse(const std::string& text, bool& value) {
  value = text == "true" || text == "yes" || text == "on" || text == "1";
  const bool negative = text == "false" || text == "no" || text == "off" || text == "0";
  return value || negative ? "" : "'" + text + "' is not true or false";
}

template <typename Enum>
std::enable_if_t<std::is_enum_v<Enum>, std::string> parse(const std::string& text, Enum& value) {
  const auto parsed = parse_choice<Enum>(text);
  value = parsed.value_or(Enum());
  return parsed ? "" : unknown_choice(text, choice_names<Enum>());
}

std::string parse(const std::string& text, std::string& value) {
  value = text;
  return "";
}

const auto& kinds_of(const AttentionKind*) { return attention_kinds(); }
const auto& kinds_of(const ObjectiveKind*) { return objective_kinds(); }

template <typename Kind>
std::string parse(const std::string& text, const Kind*& value) {
  const auto* found = find_kind(kinds_of(value), text);
  if (found == nullptr) return unknown_choice(text, kind_names(kinds_of(value)));
  value = found;
  return "";
}

std::string parse(const std::string& text, NamedChoice& value) {
  const auto found = std::find(value.names.begin(), value.names.end(), text);
  if (found == value.names.end()) return unknown_choice(text, value.names);
  value.index = static_cast<size_t>(found - value.names.begin());
  return "";
}

// A plain text is a list of one: a file name may contain any character.
std::string parse(const std::string& text, std::vector<std::string>& value) {
  value.clear();
  if (!text.empty()) value.push_back(text);
  return "";
}

std::string parse(const std::string& text, std::vector<double>& value) {
  value.clear();
  std::istringstream parts(text + (text.empty() || text.back() != ',' ? "" : ","));
  for (std::string part; std::getline(parts, part, ',');) {
    if (!parse(part, value.emplace_back()).empty()) {
      return "'" + text + "' is not numbers with commas between them";
    }
  }
  return "";
}

// A list as YAML writes it; only settings that are lists take one.
template <typename T>
std::string parse(const std::vector<std::string>&, T&) {
  return "expected one value";
}

std::string parse(const std::vector<std::string>& texts, std::vector<std::string>& value) {
  value = texts;
  return "";
}

std::string parse(const std::vector<std::string>& texts, std::vector<double>& value) {
  value.assign(texts.size(), 0.0);
  for (size_t i = 0; i < texts.size(); ++i) {
    auto problem = parse(texts[i], value[i]);
    if (!problem.empty()) return problem;
  }
  return "";
}

std::string format(int64_t value) { return std::to_string(value); }
std::string format(double value) { return shortest_text(value); }
std::string format(bool value) { return value ? "true" : "false"; }
std::string format(const AttentionKind* value) { return value->name; }
std::string format(const ObjectiveKind* value) { return value->name; }
std::string format(const NamedChoice& value) { return value.names[value.index]; }
std::string format(const std::string& value) { return YAML::Dump(YAML::Node(value)); }

template <typename Enum>
std::enable_if_t<std::is_enum_v<Enum>, std::string> format(Enum value) {
  return choice_name(value);
}

std::string quoted(const std::string& value) {
  YAML::Emitter emitter;
  emitter << YAML::DoubleQuoted << value;
  return emitter.c_str();
}

std::string quoted(double value) { return format(value); }

template <typename T>
std::string format(const std::vector<T>& values) {
  if (values.size() == 1) return format(values.front());
  std::string list;
  for (const auto& value : values) list += (list.empty() ? "" : ", ") + quoted(value);
  return "[" + list + "]";
}

// ---- finding settings by name ----

std::vector<std::string> section_names() {
  std::vector<std::string> names;
  const Settings settings;
  Settings::visit(settings, [&](const char* section, const auto&, const char*) {
    names.emplace_back(section);
  });
  return names;
}

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const auto& setting : describe_settings()) names.push_back(setting.name());
  return names;
}

// Names the key alone when it is in the same section: "did you mean hidden_size?".
std::string unknown_setting(const std::string& section, const std::string& key) {
  auto nearest = nearest_setting(section + "." + key);
  if (nearest.empty()) return "unknown setting";
  if (nearest.rfind(section + ".", 0) == 0) nearest.erase(0, section.size() + 1);
  return "unknown setting (did you mean " + nearest + "?)";
}

// Suggests settings too, because writing one without its section is a likely mistake.
std::string unknown_section(const std::string& section) {
  if (const auto dot = section.find('.'); dot != std::string::npos) {
    return "not a section; write " + section.substr(dot + 1) + " below '" + section.substr(0, dot) +
           ":'";
  }
  auto known = section_names();
  const auto settings = setting_names();
  known.insert(known.end(), settings.begin(), settings.end());
  return "unknown section" + suggestion(section, known);
}

/// Calls use(value, note) for this setting; false if there is none.
template <typename Use>
bool visit_setting(Settings& settings, const std::string& section, const std::string& key,
                   const Use& use) {
  bool found = false;
  Settings::visit(settings, [&](const char* section_name, auto& values, const char*) {
    if (section != section_name) return;
    using Section = std::decay_t<decltype(values)>;
    Section::visit(values, [&](const char* name, auto& value, const SettingNote& note) {
      if (key != name) return;
      found = true;
      use(value, note);
    });
  });
  return found;
}

bool is_setting(Settings& settings, const std::string& section, const std::string& key) {
  return visit_setting(settings, section, key, [](const auto&, const SettingNote&) {});
}

/// Whether the text is `auto`; a list never is.
bool is_automatic(const std::string& text) { return text == kAutomatic; }
bool is_automatic(const std::vector<std::string>&) { return false; }

/// Sets one key of one section from a text or a list of texts. Returns the problem, or "".
template <typename Text>
std::string set_value(Settings& settings, const std::string& section, const std::string& key,
                      const Text& text) {
  std::string problem;
  const auto name = section + "." + key;
  const bool found = visit_setting(settings, section, key, [&](auto& value, const auto& note) {
    if (note.choosable && is_automatic(text)) {
      settings.automatic.insert(name);
      return;
    }
    problem = parse(text, value);
    settings.automatic.erase(name);
  });
  return found ? problem : unknown_setting(section, key);
}

bool is_list_of_scalars(const YAML::Node& node) {
  return node.IsSequence() &&
         std::all_of(node.begin(), node.end(), [](const auto& item) { return item.IsScalar(); });
}

std::string place(const std::string& file, const YAML::Node& node) {
  return file + ": line " + std::to_string(node.Mark().line + 1) + ": ";
}

void apply_section(Settings& settings, const std::string& section, const YAML::Node& keys,
                   const std::string& file, SettingsFrom from) {
  if (keys.IsNull()) return;
  if (!keys.IsMap()) {
    throw Error(place(file, keys) + section + ": expected 'key: value' lines under the section");
  }
  std::set<std::string> seen;
  for (const auto& entry : keys) {
    const auto key = with_underscores(entry.first.as<std::string>());
    const auto where =
        place(file, entry.first).append(section).append(".").append(key).append(": ");
    if (from != SettingsFrom::kPerson && !is_setting(settings, section, key)) {
      const bool changes_network = section == "model" || section == "vocab";
      if (from == SettingsFrom::kModel && !changes_network) continue;
      throw Error(where + kNewer);
    }
    const YAML::Node& value = entry.second;
    const bool is_list = is_list_of_scalars(value);
    if (!value.IsScalar() && !value.IsNull() && !is_list) {
      throw Error(where + "expected one value");
    }
    if (!seen.insert(key).second) throw Error(where + "is set twice");
    const auto texts =
        is_list ? value.as<std::vector<std::string>>()
                : std::vector<std::string>{value.IsScalar() ? value.as<std::string>() : ""};
    // yaml-cpp makes a single byte of the escape \N.
    const auto is_invalid = [](const std::string& text) {
      return find_invalid_utf8(text).has_value();
    };
    if (std::any_of(texts.begin(), texts.end(), is_invalid)) {
      throw Error(where + "not valid UTF-8");
    }
    const auto problem = is_list ? set_value(settings, section, key, texts)
                                 : set_value(settings, section, key, texts.front());
    if (!problem.empty()) {
      throw Error(where + problem + (from == SettingsFrom::kPerson ? "" : kPerhapsNewer));
    }
  }
}

class IgnoreEvents : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

/// Counts YAML documents, at most two. YAML::LoadAll loops forever on a stray ',', which it reads
/// as empty documents; YAML::Load ignores everything after the first document.
int documents_up_to_two(const std::string& yaml) {
  std::istringstream stream(yaml);
  YAML::Parser parser(stream);
  IgnoreEvents events;
  int count = 0;
  while (count < 2 && parser.HandleNextDocument(events)) ++count;
  return count;
}

YAML::Node parse_yaml(const std::string& yaml, const std::string& name) {
  if (const auto offset = find_invalid_utf8(yaml)) {
    const auto end = yaml.begin() + static_cast<std::ptrdiff_t>(*offset);
    throw Error(name + ": line " + std::to_string(std::count(yaml.begin(), end, '\n') + 1) +
                ": not valid UTF-8");
  }
  if (documents_up_to_two(yaml) == 2) {
    throw Error(name + ": more than one YAML document ('---'), or a stray ',', ']' or '}'");
  }
  return YAML::Load(yaml);
}

/// The items of a list as YAML writes it, "[a, b]"; none of other text, such as the name "[a].de".
std::optional<std::vector<std::string>> yaml_list(const std::string& text) try {
  if (text.empty() || text.front() != '[') return std::nullopt;
  const auto node = parse_yaml(text, "");
  if (!is_list_of_scalars(node)) return std::nullopt;
  return node.as<std::vector<std::string>>();
} catch (const std::runtime_error&) {  // YAML::Exception or Error
  return std::nullopt;
}

/// The possible values of a setting that is a choice; otherwise none.
template <typename T>
std::vector<std::string> choices_of(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return choice_names<T>();
  } else if constexpr (std::is_pointer_v<T>) {
    return kind_names(kinds_of(value));
  } else if constexpr (std::is_same_v<T, NamedChoice>) {
    return value.names;
  } else {
    return {};
  }
}

}  // namespace

std::vector<SettingDescription> describe_settings(const Settings& settings) {
  std::vector<SettingDescription> descriptions;
  Settings::visit(settings, [&](const char* section, const auto& values, const char* title) {
    using Section = std::decay_t<decltype(values)>;
    Section::visit(values, [&](const char* key, const auto& value, const SettingNote& note) {
      using Value = std::decay_t<decltype(value)>;
      const bool automatic = settings.automatic.count(std::string(section) + "." + key) > 0;
      auto choices = choices_of(value);
      const auto meaning =
          choices.empty() ? note.meaning : note.meaning + (": " + list_of(choices));
      if constexpr (std::is_same_v<Value, bool>) choices = {"true", "false"};
      const bool has_names = std::is_same_v<Value, std::vector<std::string>>;
      const bool is_text = has_names || std::is_same_v<Value, std::string>;
      const bool is_list = has_names || std::is_same_v<Value, std::vector<double>>;
      descriptions.push_back({section, title, key, meaning, automatic ? kAutomatic : format(value),
                              std::move(choices), is_text, is_list, note.choosable});
    });
  });
  return descriptions;
}

Settings automatic_settings() {
  Settings settings;
  for (const auto& setting : describe_settings()) {
    if (setting.choosable) settings.automatic.insert(setting.name());
  }
  return settings;
}

void adopt_automatic(Settings& settings, const Settings& from, const std::string& section) {
  for (const auto& setting : describe_settings(from)) {
    if (!section.empty() && setting.section != section) continue;
    if (settings.automatic.count(setting.name()) == 0) continue;
    set_value(settings, setting.section, setting.key, setting.value);
  }
}

void apply_yaml(Settings& settings, const std::string& yaml, const std::string& name,
                SettingsFrom from) try {
  const auto root = parse_yaml(yaml, name);
  if (root.IsNull()) return;
  if (!root.IsMap()) throw Error(name + ": expected sections (data:, model:, train:, …)");
  const auto known = section_names();
  std::set<std::string> seen;
  for (const auto& entry : root) {
    const auto section = with_underscores(entry.first.as<std::string>());
    const auto where = place(name, entry.first) + section + ": ";
    if (std::find(known.begin(), known.end(), section) == known.end()) {
      throw Error(where + (from == SettingsFrom::kPerson ? unknown_section(section) : kNewer));
    }
    if (!seen.insert(section).second) throw Error(where + "is given twice");
    apply_section(settings, section, entry.second, name, from);
  }
} catch (const YAML::Exception& exception) {
  throw Error(name + ": line " + std::to_string(exception.mark.line + 1) +
              ": not valid YAML: " + exception.msg);
}

Settings load_settings(const std::filesystem::path& path, SettingsFrom from) {
  Settings settings;
  overlay_settings(settings, path, from);
  return settings;
}

void overlay_settings(Settings& settings, const std::filesystem::path& path, SettingsFrom from) {
  apply_yaml(settings, read_file(path, kMaxBytes), path.string(), from);
}

std::string to_yaml(const Settings& settings, bool with_comments) {
  std::string yaml;
  std::string section;
  for (const auto& setting : describe_settings(settings)) {
    if (setting.section != section) {
      section = setting.section;
      yaml += yaml.empty() ? "" : "\n";
      if (with_comments) yaml += "# " + setting.section_title + "\n";
      yaml += section + ":\n";
    }
    if (with_comments) yaml += "  # " + setting.meaning + "\n";
    yaml += "  " + setting.key + ": " + setting.value + "\n";
  }
  return yaml;
}

void set_setting(Settings& settings, const std::string& name, const std::string& value,
                 const std::string& flag) {
  const auto dot = name.find('.');
  const auto section = with_underscores(name.substr(0, dot));
  const auto key = dot == std::string::npos ? "" : with_underscores(name.substr(dot + 1));
  const auto list = yaml_list(value);
  if (list && set_value(settings, section, key, *list).empty()) return;
  const auto problem = set_value(settings, section, key, value);
  if (!problem.empty()) throw UsageError((flag.empty() ? "--" + name : flag) + ": " + problem);
}

std::vector<SettingChange> changed_settings(const Settings& before, const Settings& now) {
  const auto old_values = describe_settings(before);
  const auto new_values = describe_settings(now);
  std::vector<SettingChange> changes;
  for (size_t i = 0; i < old_values.size(); ++i) {
    if (old_values[i].value == new_values[i].value) continue;
    changes.push_back({old_values[i].name(), old_values[i].value, new_values[i].value});
  }
  return changes;
}

std::string nearest_setting(const std::string& unknown) {
  return nearest_name(unknown, setting_names());
}

}  // namespace nmt
