#pragma once

#include <map>
#include <string>

namespace nmt {

/// The `precompiled_charsmap` of a SentencePiece normalizer that replaces each key, the longest
/// first, by its value. Keys are neither empty nor hold a NUL; there is at least one.
std::string character_map(const std::map<std::string, std::string>& replacements);

}  // namespace nmt
