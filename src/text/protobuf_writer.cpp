#include "text/protobuf_writer.h"

#include <cstring>

namespace nmt {
namespace {

constexpr uint64_t kPiecesField = 1;

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

/// Assumes a little-endian machine.
std::string float_field(uint64_t number, float value) {
  std::string bytes(sizeof(value), '\0');
  std::memcpy(bytes.data(), &value, sizeof(value));
  return varint(number << 3 | 5) + bytes;
}

}  // namespace

std::string number_field(uint64_t number, uint64_t value) {
  return varint(number << 3) + varint(value);
}

std::string bytes_field(uint64_t number, const std::string& bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}

std::string sentence_piece(const std::string& text, PieceType type, float score) {
  return bytes_field(kPiecesField, bytes_field(1, text) + float_field(2, score) +
                                       number_field(3, static_cast<uint64_t>(type)));
}

}  // namespace nmt
