#include "text/model_description.h"

#include <array>
#include <cstdint>
#include <functional>

namespace nmt {
namespace {

// A SentencePiece model is a Protobuf message (sentencepiece_model.proto). Three of its fields are
// read here by hand, from the wire format: https://protobuf.dev/programming-guides/encoding
constexpr uint64_t kTrainerSpec = 2;
constexpr uint64_t kNormalizerSpec = 3;
constexpr uint64_t kTrainerModelType = 3;
constexpr uint64_t kTrainerByteFallback = 35;
constexpr uint64_t kNormalizerName = 1;

struct Field {
  uint64_t number = 0;
  uint64_t value = 0;      // of a varint
  std::string_view bytes;  // of a string or a message
};

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

/// Takes the next field off the message; false at its end or where it is damaged.
bool read_field(std::string_view& message, Field& field) {
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

void for_each_field(std::string_view message, const std::function<void(const Field&)>& use) {
  for (Field field; read_field(message, field);) use(field);
}

}  // namespace

ModelDescription describe_model(std::string_view model) {
  constexpr std::array<const char*, 4> kTypes = {"unigram", "bpe", "word", "char"};  // from 1
  ModelDescription description;
  for_each_field(model, [&](const Field& section) {
    if (section.number == kTrainerSpec) {
      for_each_field(section.bytes, [&](const Field& field) {
        const bool is_type = field.number == kTrainerModelType;
        if (is_type && field.value >= 1 && field.value <= kTypes.size()) {
          description.type = kTypes[field.value - 1];
        }
        if (field.number == kTrainerByteFallback) description.byte_fallback = field.value != 0;
      });
    } else if (section.number == kNormalizerSpec) {
      for_each_field(section.bytes, [&](const Field& field) {
        if (field.number == kNormalizerName) description.normalization = field.bytes;
      });
    }
  });
  return description;
}

}  // namespace nmt
