#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nmt {

/// The piece that stands for a single byte in SentencePiece, such as "<0xE2>".
std::string byte_piece(unsigned char byte);

/// The byte of such a piece; nothing for other text.
std::optional<char> byte_of_piece(std::string_view piece);

}  // namespace nmt
