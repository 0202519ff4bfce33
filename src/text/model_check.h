#pragma once

#include <string_view>

namespace nmt {

/// False for a serialized SentencePiece model whose character map would make SentencePiece read out
/// of bounds: it follows the map's offsets unchecked.
bool has_sound_character_map(std::string_view model);

}  // namespace nmt
