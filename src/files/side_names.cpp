#include "files/side_names.h"

#include <string_view>

#include "files/file.h"

namespace nmt {

std::string plain_ending(const std::filesystem::path& file) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  const auto ending = uncompressed_name(file).extension().string();
  if (ending.size() < 2 || ending.find_first_not_of(kPlain, 1) != std::string::npos) return "";
  return ending.substr(1);
}

std::optional<SideNames> side_names(const std::filesystem::path& source,
                                    const std::filesystem::path& target) {
  const auto first = plain_ending(source);
  const auto second = plain_ending(target);
  if (first.empty() || second.empty() || first == second) return std::nullopt;
  return SideNames(first, second);
}

}  // namespace nmt
