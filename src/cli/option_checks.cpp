#include "cli/option_checks.h"

#include <charconv>
#include <cstdint>
#include <system_error>

#include "errors/error.h"

namespace nmt {

void need_in_group(CLI::App& command, const char* group, CLI::Option* needed) {
  for (auto* option : command.get_options()) {
    if (option->get_group() == group && option != needed) option->needs(needed);
  }
}

void refuse_group(const CLI::App& command, const char* group, const char* reason) {
  for (const auto* option : command.get_options()) {
    if (option->get_group() != group || option->count() == 0) continue;
    throw UsageError(command.get_name() + ": " + option->get_name() + ": " + reason);
  }
}

void require_one_standard_input(
    const std::vector<std::pair<std::string, std::filesystem::path>>& inputs) {
  std::string first;
  for (const auto& [option, path] : inputs) {
    if (path != "-") continue;
    if (!first.empty()) {
      throw UsageError(option + ": standard input is already used for " + first + "; use a file");
    }
    first = option;
  }
}

std::string check_seed(const std::string& text) {
  uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, seed);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == end;
  return whole ? "" : "'" + text + "' is not a whole number from 0 to 2^64-1";
}

}  // namespace nmt
