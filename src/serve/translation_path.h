#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "translate/languages.h"

namespace nmt {

/// The models, by their place in a list, that translate a text one after the other: one, two
/// through a third language (the pivot), none where no models lead there.
using TranslationPath = std::vector<size_t>;

/// Whether the codes mean the same script and region, too: zh-tw, zh-TW and zh-Hant do.
bool same_code(const std::string& a, const std::string& b);

/// The shortest path; of equally short ones, that of the models listed first. Codes that differ
/// only in script or region match where none is the same.
TranslationPath find_path(const std::vector<Direction>& models, const std::string& source,
                          const std::string& target);

/// All languages, those that are translated first, in the order of the models.
std::vector<std::string> languages_of(const std::vector<Direction>& models);

/// What the language can be translated into.
std::vector<std::string> targets_of(const std::vector<Direction>& models,
                                    const std::string& source);

}  // namespace nmt
