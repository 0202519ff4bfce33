#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nmt {

/// How SentencePiece writes the piece of a single byte: "<0xE2>".
std::string byte_piece(unsigned char byte);

/// The byte of such a piece; nothing for other text.
std::optional<char> byte_of_piece(std::string_view piece);

}  // namespace nmt
