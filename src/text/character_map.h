#pragma once

#include <map>
#include <string>

namespace nmt {

/// Builds the `precompiled_charsmap` of a SentencePiece normalizer that replaces each key by its
/// value, longest match first. Needs at least one key; keys must not be empty or contain NUL.
std::string character_map(const std::map<std::string, std::string>& replacements);

}  // namespace nmt
