#include "config/settings_io.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <set>
#include <sstream>
#include <type_traits>

#include "config/suggest.h"
#include "errors/error.h"
#include "files/file.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kMaxBytes = 1 << 20;

std::string with_underscores(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// ---- values from and to text; each returns what was expected, or nothing when it was that ----

std::string parse(const std::string& text, int64_t& value) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  return whole ? "" : "a whole number";
}

std::string parse(const std::string& text, double& value) {
  char* end = nullptr;
  value = std::strtod(text.c_str(), &end);
  const bool whole = !text.empty() && end == text.c_str() + text.size() && std::isfinite(value);
  return whole ? "" : "a number";
}

std::string parse(const std::string& text, bool& value) {
  value = text == "true" || text == "yes" || text == "on" || text == "1";
  const bool negative = text == "false" || text == "no" || text == "off" || text == "0";
  return value || negative ? "" : "true or false";
}

std::string parse(const std::string& text, std::string& value) {
  value = text;
  return "";
}

// One file alone: any character may stand in its name.
std::string parse(const std::string& text, std::vector<std::string>& value) {
  value.clear();
  if (!text.empty()) value.push_back(text);
  return "";
}

std::string parse(const std::string& text, std::vector<double>& value) {
  value.clear();
  std::istringstream parts(text + (text.empty() || text.back() != ',' ? "" : ","));
  for (std::string part; std::getline(parts, part, ',');) {
    if (!parse(part, value.emplace_back()).empty()) return "numbers with commas between them";
  }
  return "";
}

// A list as YAML writes it; only settings that are lists take one.
template <typename T>
std::string parse(const std::vector<std::string>&, T&) {
  return "one value";
}

std::string parse(const std::vector<std::string>& texts, std::vector<std::string>& value) {
  value = texts;
  return "";
}

std::string parse(const std::vector<std::string>& texts, std::vector<double>& value) {
  value.assign(texts.size(), 0.0);
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto expected = parse(texts[i], value[i]);
    if (!expected.empty()) return expected;
  }
  return "";
}

std::string format(int64_t value) { return std::to_string(value); }
std::string format(bool value) { return value ? "true" : "false"; }
std::string format(const std::string& value) { return YAML::Dump(YAML::Node(value)); }

// The shortest text that reads back as the same number.
std::string format(double value) {
  char text[32];
  const auto written = std::to_chars(text, text + sizeof(text), value);
  return {text, written.ptr};
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
  for (const auto& setting : describe_settings()) {
    names.push_back(setting.section + "." + setting.key);
  }
  return names;
}

// Names the key alone when it is in the same section: "did you mean hidden_size?".
std::string unknown_setting(const std::string& section, const std::string& key) {
  auto nearest = nearest_name(section + "." + key, setting_names());
  if (nearest.empty()) return "unknown setting";
  if (nearest.rfind(section + ".", 0) == 0) nearest.erase(0, section.size() + 1);
  return "unknown setting (did you mean " + nearest + "?)";
}

// A setting without its section is a likely slip, so those are near too.
std::string unknown_section(const std::string& section) {
  auto known = section_names();
  const auto settings = setting_names();
  known.insert(known.end(), settings.begin(), settings.end());
  return "unknown section" + suggestion(section, known);
}

std::string complaint(const std::string& text, const std::string& expected) {
  return "'" + text + "' is not " + expected;
}

std::string complaint(const std::vector<std::string>&, const std::string& expected) {
  return "expected " + expected;
}

/// Sets one key of one section to what a text or a list of texts says; returns what is wrong, or
/// nothing.
template <typename Text>
std::string set_value(Settings& settings, const std::string& section, const std::string& key,
                      const Text& text) {
  bool found = false;
  std::string expected;
  Settings::visit(settings, [&](const char* section_name, auto& values, const char*) {
    if (section != section_name) return;
    using Section = std::decay_t<decltype(values)>;
    Section::visit(values, [&](const char* name, auto& value, const char*) {
      if (key != name) return;
      found = true;
      expected = parse(text, value);
    });
  });
  if (!found) return unknown_setting(section, key);
  return expected.empty() ? "" : complaint(text, expected);
}

bool is_list_of_scalars(const YAML::Node& node) {
  return node.IsSequence() &&
         std::all_of(node.begin(), node.end(), [](const auto& item) { return item.IsScalar(); });
}

std::string place(const std::string& file, const YAML::Node& node) {
  return file + ": line " + std::to_string(node.Mark().line + 1) + ": ";
}

void apply_section(Settings& settings, const std::string& section, const YAML::Node& keys,
                   const std::string& file) {
  if (keys.IsNull()) return;
  if (!keys.IsMap()) {
    throw Error(place(file, keys) + section + ": expected 'key: value' lines under the section");
  }
  std::set<std::string> seen;
  for (const auto& entry : keys) {
    const auto key = with_underscores(entry.first.as<std::string>());
    const auto where =
        place(file, entry.first).append(section).append(".").append(key).append(": ");
    const YAML::Node& value = entry.second;
    const bool is_list = is_list_of_scalars(value);
    if (!value.IsScalar() && !value.IsNull() && !is_list) {
      throw Error(where + "expected one value");
    }
    if (!seen.insert(key).second) throw Error(where + "is set twice");
    const auto text = value.IsScalar() ? value.as<std::string>() : "";
    const auto problem =
        is_list ? set_value(settings, section, key, value.as<std::vector<std::string>>())
                : set_value(settings, section, key, text);
    if (!problem.empty()) throw Error(where + problem);
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

/// YAML::LoadAll would tell, but takes a stray ',' for an empty document, again and again without
/// end; YAML::Load takes no note of what comes after the first document.
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

/// The settings in order, their values as the defaults.
std::vector<SettingDescription> describe(const Settings& settings) {
  std::vector<SettingDescription> descriptions;
  Settings::visit(settings, [&](const char* section, const auto& values, const char* title) {
    using Section = std::decay_t<decltype(values)>;
    Section::visit(values, [&](const char* key, const auto& value, const char* meaning) {
      descriptions.push_back({section, title, key, meaning, format(value)});
    });
  });
  return descriptions;
}

}  // namespace

void apply_yaml(Settings& settings, const std::string& yaml, const std::string& name) try {
  const auto root = parse_yaml(yaml, name);
  if (root.IsNull()) return;
  if (!root.IsMap()) throw Error(name + ": expected sections (data:, model:, train:, …)");
  const auto known = section_names();
  std::set<std::string> seen;
  for (const auto& entry : root) {
    const auto section = with_underscores(entry.first.as<std::string>());
    const auto where = place(name, entry.first) + section + ": ";
    if (std::find(known.begin(), known.end(), section) == known.end()) {
      throw Error(where + unknown_section(section));
    }
    if (!seen.insert(section).second) throw Error(where + "is given twice");
    apply_section(settings, section, entry.second, name);
  }
} catch (const YAML::Exception& exception) {
  throw Error(name + ": line " + std::to_string(exception.mark.line + 1) +
              ": not valid YAML: " + exception.msg);
}

Settings load_settings(const std::filesystem::path& path) {
  Settings settings;
  overlay_settings(settings, path);
  return settings;
}

void overlay_settings(Settings& settings, const std::filesystem::path& path) {
  apply_yaml(settings, read_file(path, kMaxBytes), path.string());
}

std::string to_yaml(const Settings& settings, bool with_comments) {
  std::ostringstream yaml;
  Settings::visit(settings, [&](const char* section, const auto& values, const char* title) {
    yaml << (yaml.tellp() > 0 ? "\n" : "");
    if (with_comments) yaml << "# " << title << "\n";
    yaml << section << ":\n";
    using Section = std::decay_t<decltype(values)>;
    Section::visit(values, [&](const char* key, const auto& value, const char* meaning) {
      if (with_comments) yaml << "  # " << meaning << "\n";
      yaml << "  " << key << ": " << format(value) << "\n";
    });
  });
  return yaml.str();
}

void set_setting(Settings& settings, const std::string& name, const std::string& value) {
  const auto dot = name.find('.');
  const auto section = with_underscores(name.substr(0, dot));
  const auto key = dot == std::string::npos ? "" : with_underscores(name.substr(dot + 1));
  const auto problem = set_value(settings, section, key, value);
  if (!problem.empty()) throw UsageError("--" + name + ": " + problem);
}

std::vector<SettingChange> changed_settings(const Settings& before, const Settings& now) {
  const auto old_values = describe(before);
  const auto new_values = describe(now);
  std::vector<SettingChange> changes;
  for (size_t i = 0; i < old_values.size(); ++i) {
    const auto& old_value = old_values[i].default_value;
    const auto& new_value = new_values[i].default_value;
    if (old_value == new_value) continue;
    changes.push_back({old_values[i].section + "." + old_values[i].key, old_value, new_value});
  }
  return changes;
}

std::vector<SettingDescription> describe_settings() { return describe(Settings()); }

}  // namespace nmt
