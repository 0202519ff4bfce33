#include "files/side_names.h"

#include <string_view>

namespace nmt {
namespace {

/// Empty where it is no plain word.
std::string ending_of(std::filesystem::path file) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  if (file.extension() == ".gz") file.replace_extension();
  const auto ending = file.extension().string();
  if (ending.size() < 2 || ending.find_first_not_of(kPlain, 1) != std::string::npos) return "";
  return ending.substr(1);
}

}  // namespace

std::optional<SideNames> side_names(const std::filesystem::path& source,
                                    const std::filesystem::path& target) {
  const auto first = ending_of(source);
  const auto second = ending_of(target);
  if (first.empty() || second.empty() || first == second) return std::nullopt;
  return SideNames(first, second);
}

}  // namespace nmt
