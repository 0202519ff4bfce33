#pragma once

#include <filesystem>
#include <string>
#include <utility>

namespace nmt {

/// What the names of a parallel corpus's files end with, "de" and "en" for news.de.gz and news.en;
/// "source" and "target" where these are no two plain words.
std::pair<std::string, std::string> side_names(const std::filesystem::path& source,
                                               const std::filesystem::path& target);

}  // namespace nmt
