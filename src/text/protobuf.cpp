#include "text/protobuf.h"

#include <cstring>

namespace nmt {
namespace {

bool read_varint(std::string_view& bytes, uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

/// Takes the next field off the message; false where it is damaged.
bool read_field(std::string_view& message, ProtobufField& field) {
  uint64_t key = 0;
  if (!read_varint(message, key)) return false;
  field = {key >> 3, 0, {}};
  const uint64_t wire_type = key & 7;
  if (wire_type == 0) return read_varint(message, field.value);
  uint64_t size = 0;
  if (wire_type == 1) {
    size = 8;
  } else if (wire_type == 5) {
    size = 4;
  } else if (wire_type != 2 || !read_varint(message, size)) {
    return false;
  }
  if (size > message.size()) return false;
  field.bytes = message.substr(0, size);
  message.remove_prefix(size);
  return true;
}

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

}  // namespace

bool for_each_field(std::string_view message,
                    const std::function<void(const ProtobufField&)>& use) {
  for (ProtobufField field; !message.empty();) {
    if (!read_field(message, field)) return false;
    use(field);
  }
  return true;
}

std::string number_field(uint64_t number, uint64_t value) {
  return varint(number << 3) + varint(value);
}

std::string float_field(uint64_t number, float value) {
  std::string bytes(sizeof(value), '\0');
  std::memcpy(bytes.data(), &value, sizeof(value));  // little-endian, as we are
  return varint(number << 3 | 5) + bytes;
}

std::string bytes_field(uint64_t number, const std::string& bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}

}  // namespace nmt
