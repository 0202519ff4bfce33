#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace nmt {

/// Of the source and the target of a parallel corpus.
using SideNames = std::pair<std::string, std::string>;

/// What the file's name ends with, a final .gz aside: "de" of news.de.gz. Empty where it is no
/// plain word.
std::string plain_ending(const std::filesystem::path& file);

/// What the names of a corpus's files end with, "de" and "en" for news.de.gz and news.en; nothing
/// where these are no two plain words.
std::optional<SideNames> side_names(const std::filesystem::path& source,
                                    const std::filesystem::path& target);

/// Stand for the sides of such a corpus.
inline const SideNames kNamelessSides = {"source", "target"};

}  // namespace nmt
