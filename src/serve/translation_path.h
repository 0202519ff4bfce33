#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "translate/languages.h"

namespace nmt {

/// The models, as indexes into a list, that translate a text one after the other: one, or two
/// through a third language (the pivot); empty if no models lead there.
using TranslationPath = std::vector<size_t>;

/// Whether the codes mean the same script and region, too: zh-tw, zh-TW and zh-Hant do.
bool same_code(const std::string& a, const std::string& b);

/// The shortest path. Among equally short ones, prefers equal codes, first of the target, to codes
/// that differ in script or region; then the models listed first.
TranslationPath find_path(const std::vector<Direction>& models, const std::string& source,
                          const std::string& target);

/// All languages: the source languages first, then the remaining targets, in the order of the
/// models.
std::vector<std::string> languages_of(const std::vector<Direction>& models);

/// The languages into which `source` can be translated.
std::vector<std::string> targets_of(const std::vector<Direction>& models,
                                    const std::string& source);

}  // namespace nmt
