#include "cli/option_checks.h"

#include <algorithm>
#include <cstdint>

#include "cli/help.h"
#include "numbers/parse.h"
#include "unicode/substrings.h"

namespace nmt {

void need_in_group(CLI::App& command, const char* group, CLI::Option* needed) {
  for (auto* option : command.get_options()) {
    if (option->get_group() == group && option != needed) option->needs(needed);
  }
}

void need_each_other(CLI::Option* a, CLI::Option* b) {
  a->needs(b);
  b->needs(a);
}

void refuse_option(const CLI::App& command, const std::string& option, const std::string& reason) {
  if (command.count(option) == 0) return;
  throw UsageError(command_path(command) + ": " + option + ": " + reason);
}

std::string with_hyphens(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string with_flags(const CLI::App& command, const OptionError& error) {
  std::string message = error.what();
  for (const auto& name : error.names) {
    const auto flag = "--" + with_hyphens(name);
    if (command.get_option_no_throw(flag) != nullptr) replace_all(message, name, flag);
  }
  return message;
}

void require_one_standard_input(
    const std::vector<std::pair<std::string, std::filesystem::path>>& inputs) {
  std::vector<std::string> used;
  for (const auto& [option, path] : inputs) {
    if (path == "-") used.push_back(option);
  }
  if (used.size() < 2) return;
  throw UsageError(used[1] + ": standard input is already used for " + used[0] + "; use a file");
}

std::function<std::string(const std::string&)> check_in(const Range& range) {
  return [range](const std::string& text) {
    const auto number = parse_number<double>(text);
    const bool fits = number && range.contains(*number);
    return fits ? "" : "'" + text + "' is not a number " + range.text();
  };
}

std::string check_device(const std::string& text) {
  const std::string numbered = "cuda:";
  const bool known = text == "cpu" || text == "cuda" ||
                     (text.rfind(numbered, 0) == 0 &&
                      parse_number<uint32_t>(text.substr(numbered.size())).has_value());
  return known ? "" : "'" + text + "' is none of cpu, cuda and cuda:N";
}

std::string check_seed(const std::string& text) {
  return parse_number<uint64_t>(text) ? ""
                                      : "'" + text + "' is not a whole number from 0 to 2^64-1";
}

}  // namespace nmt
