#include "text/protobuf_writer.h"

namespace nmt {
namespace {

constexpr uint64_t kPiecesField = 1;

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

}  // namespace

std::string number_field(uint64_t number, uint64_t value) {
  return varint(number << 3) + varint(value);
}

std::string bytes_field(uint64_t number, const std::string& bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}

std::string sentence_piece(const std::string& text, PieceType type) {
  const std::string score_0 = {'\x15', 0, 0, 0, 0};  // field 2, a float
  return bytes_field(kPiecesField,
                     bytes_field(1, text) + score_0 + number_field(3, static_cast<uint64_t>(type)));
}

}  // namespace nmt
