#pragma once

#include <string_view>

namespace nmt {

/// False for a serialised SentencePiece model whose character map would lead SentencePiece outside
/// of its memory: it follows the map's offsets unchecked.
bool has_sound_character_map(std::string_view model);

}  // namespace nmt
