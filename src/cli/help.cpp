#include "cli/help.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <regex>
#include <set>
#include <vector>

#include "config/choice.h"
#include "unicode/characters.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kColumnsElsewhere = 80;  // when the output is not a terminal
constexpr size_t kMaxColumns = 100;       // longer lines are hard to read
constexpr size_t kMinColumns = 40;
constexpr size_t kNamesColumns = 28;
constexpr char kMainGroup[] = "Options";

size_t terminal_columns() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kColumnsElsewhere;
  return std::min(std::max<size_t>(size.ws_col, kMinColumns), kMaxColumns);
}

/// Whether --help lists the option: all of the main group, and those of other groups that most
/// users need.
bool is_frequent(const CLI::Option& option) {
  static const std::set<std::string> names = {"--beam-size", "--n-best", "--threads", "--device",
                                              "--precision", "--host",   "--port",    "--split",
                                              "--type",      "--size",   "--terms"};
  return option.get_group() == kMainGroup || names.count(option.get_name()) > 0;
}

std::string names_of(const std::set<CLI::Option*>& options) {
  std::set<std::string> names;
  for (const auto* option : options) names.insert(option->get_name());
  return list_of({names.begin(), names.end()});
}

/// A row of two columns.
std::string row(const std::string& name, const std::string& meaning, size_t width) {
  const size_t indent = kNamesColumns + 2;
  std::string text = "  " + name;
  const size_t used = count_characters(text);
  text += used + 2 > indent ? "\n" + std::string(indent, ' ') : std::string(indent - used, ' ');
  return text + wrapped(meaning, width, indent, indent) + "\n";
}

/// "N", "0–1024", "FILE": CLI11 has "INT", "INT:INT in [0 - 1024]", "TEXT" of any string.
std::string value_text(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";  // a flag
  const std::string type = option.get_type_name();
  static const std::regex range(R"(in \[(\S+) - (\S+)\])");
  std::smatch limits;
  std::string text = type.substr(0, type.find(':'));
  if (text == "INT" || text == "UINT") {
    const bool limited = std::regex_search(type, limits, range);
    text = limited ? limits[1].str() + "–" + limits[2].str() : "N";
  } else if (text == "FLOAT") {
    text = "X";
  } else if (text == "TEXT") {  // where it is something else, its option says so
    text = type.find('{') == std::string::npos ? "FILE" : "NAME";
  }
  const bool many = option.get_expected_max() > 2;
  return text.empty() ? "" : " " + text + (many ? " …" : "");
}

/// "a b": CLI11 has "[a,b]" of several values.
std::string default_text(const CLI::Option& option) {
  auto text = option.get_default_str();
  if (text == "-") return option.get_name() == "--output" ? "standard output" : "standard input";
  if (text.empty() || text.front() != '[') return text;
  text = text.substr(1, text.size() - 2);
  std::replace(text.begin(), text.end(), ',', ' ');
  return text;
}

std::string option_tables(const CLI::App& command, bool all, size_t width) {
  std::string text;
  bool hidden = false;
  for (const auto& group : command.get_groups()) {
    std::string rows;
    for (const auto* option : command.get_options()) {
      if (option->get_group() != group) continue;
      const bool shown = all || is_frequent(*option);
      hidden |= !shown;
      if (shown) rows += row(option_heading(*option), option_meaning(*option, all), width);
    }
    if (!rows.empty()) text.append("\n").append(group).append(":\n").append(rows);
  }
  if (hidden) text += "\nAll options: " + full_name(command) + " --help-all\n";
  return text;
}

}  // namespace

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string option_heading(const CLI::Option& option) {
  static const std::regex flag_value(R"(\{\w+\})");
  const auto names = std::regex_replace(option.get_name(true, true), flag_value, "");
  return std::regex_replace(names, std::regex(","), ", ") + value_text(option);
}

std::string option_meaning(const CLI::Option& option, bool all) {
  std::string text = option.get_description();
  const auto standard = default_text(option);
  if (!standard.empty()) text += " [" + standard + "]";
  if (option.get_required()) text += " (required)";
  if (!all) return text;
  if (!option.get_needs().empty()) text += " (needs " + names_of(option.get_needs()) + ")";
  if (!option.get_excludes().empty()) text += " (not with " + names_of(option.get_excludes()) + ")";
  return text;
}

std::string full_name(const CLI::App& command) {
  const auto* parent = command.get_parent();
  return (parent == nullptr ? "" : full_name(*parent) + " ") + command.get_name();
}

std::string command_path(const CLI::App& command) {
  const auto* parent = command.get_parent();
  if (parent == nullptr) return "";
  const auto above = command_path(*parent);
  return (above.empty() ? "" : above + " ") + command.get_name();
}

std::string usage_line(const CLI::App& command) {
  std::string text = full_name(command);
  std::string program;  // of nmt launch: the options after it are its own
  for (const auto* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const auto name = option->get_name(true);
    if (name == "command") {
      program = " -- " + name;
    } else {
      text += option->get_required() ? " " + name : " [" + name + "]";
    }
  }
  return text + (commands_of(command).empty() ? "" : " COMMAND") + " [OPTIONS]" + program;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string /*name*/,
                                     CLI::AppFormatMode mode) const {
  const size_t width = terminal_columns();
  const auto commands = commands_of(*app);
  std::string text = wrapped(app->get_description(), width) + "\n\n";
  text += "Usage: " + usage_line(*app) + "\n";
  if (!app->get_footer().empty()) text += "\nExamples:\n" + app->get_footer();
  if (!commands.empty()) {
    text += "\nCommands:\n";
    for (const auto* command : commands) {
      text += row(command->get_name(), command->get_description(), width);
    }
  }
  return text + option_tables(*app, mode == CLI::AppFormatMode::All, width);
}

}  // namespace nmt
