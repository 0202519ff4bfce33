#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace nmt {

/// Names of the source and target side of a parallel corpus.
using SideNames = std::pair<std::string, std::string>;

/// The extension without a final .gz: "de" for news.de.gz. Empty unless it is a plain word.
std::string plain_ending(const std::filesystem::path& file);

/// The plain_ending() of both files, "de" and "en" for news.de.gz and news.en; nullopt unless these
/// are two different plain words.
std::optional<SideNames> side_names(const std::filesystem::path& source,
                                    const std::filesystem::path& target);

/// Used when side_names() returns nothing.
inline const SideNames kNamelessSides = {"source", "target"};

}  // namespace nmt
