#include "text/byte_pieces.h"

namespace nmt {
namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";
constexpr std::string_view kBytePieceBegin = "<0x";

}  // namespace

std::string byte_piece(unsigned char byte) {
  return std::string(kBytePieceBegin) + kHexDigits[byte / 16] + kHexDigits[byte % 16] + '>';
}

std::optional<char> byte_of_piece(std::string_view piece) {
  if (piece.size() != kBytePieceBegin.size() + 3) return std::nullopt;
  const auto byte = kHexDigits.find(piece[3]) * 16 + kHexDigits.find(piece[4]);
  if (byte > 0xFF || byte_piece(static_cast<unsigned char>(byte)) != piece) return std::nullopt;
  return static_cast<char>(byte);
}

}  // namespace nmt
